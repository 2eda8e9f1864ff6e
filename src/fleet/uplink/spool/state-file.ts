import { closeSync, constants, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/** The state that outlives a restart, in addition to the events. */
export interface SpoolState {
  /** Everything up to this seq was acknowledged by the server, or given up. */
  doneSeq: number;
  /** Every seq below this may have been used. */
  reservedSeq: number;
  /** Events lost since the agent was enrolled. */
  dropped: number;
}

export interface StateFile {
  /** undefined when there is none, or it cannot be read. */
  read(): SpoolState | undefined;
  /** Survives the end of the process at once, and with `durable` that of the host. Throws when it cannot be written. */
  write(state: SpoolState, options?: { durable: boolean }): void;
  close(): void;
}

/*
 * Two places that are written in turn, so that a torn write leaves the other: CRC-32 (4) ‖ nothing (4) ‖ generation ‖ doneSeq ‖ reservedSeq ‖
 * dropped, as doubles. Always the same bytes of the file: a full disk has room for them.
 */
const SLOT_BYTES = 40;
const SLOTS = 2;

/** Opens the file, or makes it. Throws when that fails. */
export function openStateFile(path: string): StateFile {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let generation = 0;

  return {
    read() {
      const bytes = Buffer.alloc(SLOT_BYTES * SLOTS);
      readSync(file, bytes, 0, bytes.length, 0);
      let newest: SpoolState | undefined;
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const found = slotOf(bytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES));
        if (found === undefined || found.generation <= generation) continue;
        generation = found.generation;
        newest = found.state;
      }
      return newest;
    },
    write({ doneSeq, reservedSeq, dropped }, { durable } = { durable: false }) {
      generation += 1;
      const bytes = Buffer.alloc(SLOT_BYTES);
      [generation, doneSeq, reservedSeq, dropped].forEach((value, index) => bytes.writeDoubleLE(value, 8 + index * 8));
      bytes.writeUInt32LE(crc32(bytes.subarray(8)), 0);
      writeSync(file, bytes, 0, SLOT_BYTES, (generation % SLOTS) * SLOT_BYTES);
      if (durable) fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}

function slotOf(bytes: Buffer): { generation: number; state: SpoolState } | undefined {
  if (crc32(bytes.subarray(8)) !== bytes.readUInt32LE(0)) return undefined;
  const [generation = 0, doneSeq = 0, reservedSeq = 0, dropped = 0] = [0, 1, 2, 3].map((index) => bytes.readDoubleLE(8 + index * 8));
  return generation >= 1 ? { generation, state: { doneSeq, reservedSeq, dropped } } : undefined;
}
