/** Lists last asked for. */
const MAX_BODIES = 32;

/** Answers as JSON bytes, for as long as nothing changes. */
export interface Bodies {
  get(key: string, make: () => string): Buffer;
}

/** `version` is another number after anything changed. */
export function createBodies(version: () => number): Bodies {
  const bodies = new Map<string, Buffer>();
  let madeAt = version();

  return {
    get(key, make) {
      if (version() !== madeAt) bodies.clear();
      madeAt = version();
      const kept = bodies.get(key);
      if (kept !== undefined) return kept;
      const body = Buffer.from(make());
      const [oldest] = bodies.keys();
      if (bodies.size >= MAX_BODIES && oldest !== undefined) bodies.delete(oldest);
      bodies.set(key, body);
      return body;
    },
  };
}
