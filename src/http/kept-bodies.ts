/** Lists last asked for. */
const MAX_BODIES = 32;

/** Answers as bytes, of the questions last asked, for as long as nothing changes. */
export interface KeptBodies {
  get(question: object, make: () => Buffer): Buffer;
}

/** `version` is another number after anything changed. */
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
