import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { AgentId } from './id.ts';

/** A label that the agent's sessions know. `initial` is set when a session starts without the key; `values` limits what policies may write. */
export interface LabelDefinition {
  readonly key: string;
  readonly initial: string | null;
  readonly values: readonly string[] | null;
}

export const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agent',
  properties: {
    id: p.string().$type<AgentId>().primary(),
    /** Unique over the installation. */
    name: p.string().length(256).unique(),
    description: p.text().nullable(),
    /** Default of its sessions' asks; null: 86,400. */
    askTimeoutSeconds: p.integer().nullable(),
    labelDefinitions: p.json<readonly LabelDefinition[]>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Agent = InferEntity<typeof AgentSchema>;
