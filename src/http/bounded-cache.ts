import { LRUCache } from 'lru-cache';

const cachedBytesMax = 67_108_864;

/** By size, not only by number: a document can be as large as a body, and a small one can have thousands of tokens. */
export function boundedCache<Value extends object>(sizeOf: (value: Value) => number = () => 0): { get(key: string): Value | undefined; set(key: string, value: Value): void } {
  const cache = new LRUCache<string, Value>({ max: 1000, maxSize: cachedBytesMax, sizeCalculation: (value, key) => key.length * 2 + sizeOf(value) + 1 });
  return {
    get: (key) => cache.get(key),
    set: (key, value) => void cache.set(key, value),
  };
}
