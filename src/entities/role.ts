export const roles = ['AGENT', 'APPROVER', 'ADMIN', 'VIEWER'] as const;

/** What a caller is there for. `src/graphql/access-table.ts` says what each may do. */
export type Role = (typeof roles)[number];
