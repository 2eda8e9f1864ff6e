/** How many of the latest lists are kept. */
const MAX_BODIES = 32;

/** Keeps the latest answers as bytes, for as long as nothing changes. */
export interface KeptBodies {
  get(question: object, make: () => Buffer): Buffer;
}

/** `version` returns another number after every change. */
export function createKeptBodies(version: () => number): KeptBodies {
  const bodies = new Map<string, Buffer>();
  let madeAt = version();

  return {
    get(question, make) {
      if (version() !== madeAt) bodies.clear();
      madeAt = version();
      const key = JSON.stringify(question);
      const kept = bodies.get(key);
      if (kept !== undefined) return kept;
      const body = make();
      const [oldest] = bodies.keys();
      if (bodies.size >= MAX_BODIES && oldest !== undefined) bodies.delete(oldest);
      bodies.set(key, body);
      return body;
    },
  };
}
