import { createInMemoryEvents } from '../../src/events/in-memory.ts';
import { describeEvents } from '../contracts/events.ts';

class CountingTarget extends EventTarget {
  count = 0;

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.count += 1;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.count -= 1;
    super.removeEventListener(...args);
  }
}

describeEvents('in memory', async () => {
  const target = new CountingTarget();
  return { events: createInMemoryEvents(target), liveCount: () => target.count };
});
