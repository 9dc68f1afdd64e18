import { describe, expect, it } from 'vitest';
import { endure } from './endure.ts';

const seed = Number(process.env['ENDURANCE_SEED'] ?? 1);
const seconds = Number(process.env['ENDURANCE_SECONDS'] ?? 120);

describe(`two servers on one PostgreSQL to which everything happens (ENDURANCE_SEED=${seed} ENDURANCE_SECONDS=${seconds})`, () => {
  it(
    'give every call exactly one fate, tell it to whoever stayed, and lose and leak nothing',
    async () => {
      const lines: string[] = [];
      const { figures, broken } = await endure({ seed, seconds, report: (line) => void lines.push(line) });
      expect(broken, [...lines, figures].join('\n')).toEqual([]);
    },
    (seconds + 400) * 1000,
  );
});
