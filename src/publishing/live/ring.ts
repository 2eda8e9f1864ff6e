import { deflateRawSync, inflateRawSync } from "node:zlib";

/** One event as it went out. */
export interface LiveFrame {
  readonly sequence: number;
  readonly type: string;
  /** undefined concerns every host, null is the local one. */
  readonly agentId: string | null | undefined;
  readonly bytes: Buffer;
}

/** The last frames, in order, bounded in number and in bytes; all but the newest are compressed. */
export interface Ring {
  push(frame: LiveFrame): void;
  /** Empties the frames of a host that was deleted; their places stay. */
  forgetHost(agentId: string): void;
  /** The frames after a sequence number, at most about `mostBytes` of them; undefined when some of them are forgotten. */
  after(sequence: number, mostBytes: number): LiveFrame[] | undefined;
  /** The last sequence number; 0 before the first. */
  readonly head: number;
}

/** Frames that follow each other. Events of one kind are alike, and compress well together. */
interface Block {
  frames: (Omit<LiveFrame, "bytes"> & { length: number })[];
  compressed: Buffer;
}

/** Larger blocks hold up the event loop for more than a few milliseconds. */
const BLOCK_BYTES = 131_072;
/** A higher one costs three times as much, for a fifth less. */
const LEVEL = 1;

/** Keeps the last `capacity` frames, or as many of them as `mostBytes` hold. */
export function createRing({
  capacity,
  mostBytes,
  blockBytes = BLOCK_BYTES,
}: {
  capacity: number;
  mostBytes: number;
  blockBytes?: number;
}): Ring {
  const blocks: Block[] = [];
  /** Not compressed yet. */
  let open: LiveFrame[] = [];
  let openBytes = 0;
  let compressedBytes = 0;
  let count = 0;
  let head = 0;

  function close(): void {
    const block = blockOf(open);
    blocks.push(block);
    compressedBytes += block.compressed.length;
    [open, openBytes] = [[], 0];
  }

  function dropOldest(): void {
    const oldest = blocks.shift();
    count -= oldest?.frames.length ?? 0;
    compressedBytes -= oldest?.compressed.length ?? 0;
  }

  /** Where frames from a sequence number on begin: blocks, and then the open ones. */
  function* from(sequence: number): Generator<LiveFrame> {
    for (const block of blocks) {
      if ((block.frames.at(-1)?.sequence ?? 0) < sequence) continue;
      for (const frame of framesOf(block)) if (frame.sequence >= sequence) yield frame;
    }
    for (const frame of open) if (frame.sequence >= sequence) yield frame;
  }

  return {
    push(frame) {
      open.push(frame);
      openBytes += frame.bytes.length;
      count += 1;
      head = frame.sequence;
      if (openBytes >= blockBytes) close();
      while (blocks.length > 0 && (count - (blocks[0]?.frames.length ?? 0) >= capacity || openBytes + compressedBytes > mostBytes))
        dropOldest();
    },
    forgetHost(agentId) {
      const emptied = (frame: LiveFrame): LiveFrame => (frame.agentId === agentId ? { ...frame, bytes: Buffer.alloc(0) } : frame);
      open = open.map(emptied);
      openBytes = bytesOf(open);
      for (const [index, block] of blocks.entries()) {
        if (!block.frames.some((frame) => frame.agentId === agentId)) continue;
        const without = blockOf(framesOf(block).map(emptied));
        compressedBytes += without.compressed.length - block.compressed.length;
        blocks[index] = without;
      }
    },
    after(sequence, wantedBytes) {
      if (sequence > head || sequence < head - Math.min(count, capacity)) return undefined;
      const frames: LiveFrame[] = [];
      let taken = 0;
      for (const frame of from(sequence + 1)) {
        if (taken >= wantedBytes) break;
        frames.push(frame);
        taken += frame.bytes.length;
      }
      return frames;
    },
    get head() {
      return head;
    },
  };
}

function blockOf(frames: readonly LiveFrame[]): Block {
  return {
    frames: frames.map(({ sequence, type, agentId, bytes }) => ({ sequence, type, agentId, length: bytes.length })),
    compressed: ownMemory(deflateRawSync(Buffer.concat(frames.map(({ bytes }) => bytes)), { level: LEVEL })),
  };
}

/** A small buffer is a part of one of 64 kB, which all of its parts keep. */
function ownMemory(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

function framesOf({ frames, compressed }: Block): LiveFrame[] {
  const bytes = inflateRawSync(compressed);
  let end = 0;
  return frames.map(({ length, ...frame }) => ({ ...frame, bytes: bytes.subarray(end, (end += length)) }));
}

function bytesOf(frames: readonly LiveFrame[]): number {
  return frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
