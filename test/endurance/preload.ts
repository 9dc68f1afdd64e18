/**
 * Loaded into a server before everything else (`--import`): its clock is off by `CLOCK_OFF_SECONDS`, and SIGUSR2 makes it collect garbage,
 * so that memory can be compared.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const offMilliseconds = Number(process.env['CLOCK_OFF_SECONDS'] ?? 0) * 1000;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (real, values, target) => Reflect.construct(real, values.length === 0 ? [real.now() + offMilliseconds] : values, target) as Date,
  get: (real, name) => (name === 'now' ? () => real.now() + offMilliseconds : Reflect.get(real, name)),
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => collect());
