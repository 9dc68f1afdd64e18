import { endure } from './endure.ts';

/** `npm run endurance`: by hand, for as many `ENDURANCE_SECONDS` as one likes, by default half an hour. Exits 1 when a law is broken. */
const seed = Number(process.env['ENDURANCE_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const seconds = Number(process.env['ENDURANCE_SECONDS'] ?? 1800);

print(`ENDURANCE_SEED=${seed} ENDURANCE_SECONDS=${seconds}`);
const { figures, broken } = await endure({ seed, seconds, report: print });
print(figures);
for (const breach of broken) print(`BROKEN: ${breach}`);
print(broken.length === 0 ? 'Every law held.' : `${broken.length} breaches with ENDURANCE_SEED=${seed}.`);
process.exitCode = broken.length === 0 ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
