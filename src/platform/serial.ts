/** Runs what is given for a key one after another; different keys do not wait for each other. */
export type Serial = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createSerial(): Serial {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** Takes the turn of a key when it has come, and keeps it until the answer is called. */
export function hold(serial: Serial, key: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    serial(key, () => new Promise<void>((release) => resolve(release))).catch(reject);
  });
}
