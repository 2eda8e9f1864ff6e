import { deflateRawSync, inflateRawSync } from "node:zlib";

/** One event as it went out. */
export interface LiveFrame {
  readonly sequence: number;
  readonly type: string;
  /** undefined concerns every host, null is the local one. */
  readonly agentId: string | null | undefined;
  readonly bytes: Buffer;
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

interface RingOptions {
  /** How many frames it keeps. */
  capacity: number;
  /** Fewer of them, should they be larger together. */
  mostBytes: number;
  blockBytes?: number;
}

/** The last frames, in order, bounded in number and in bytes; all but the newest are compressed. */
export class Ring {
  readonly #capacity: number;
  readonly #mostBytes: number;
  readonly #blockBytes: number;
  readonly #blocks: Block[] = [];
  /** Not compressed yet. */
  #open: LiveFrame[] = [];
  #openBytes = 0;
  #compressedBytes = 0;
  #count = 0;
  #head = 0;

  constructor({ capacity, mostBytes, blockBytes = BLOCK_BYTES }: RingOptions) {
    this.#capacity = capacity;
    this.#mostBytes = mostBytes;
    this.#blockBytes = blockBytes;
  }

  /** The last sequence number; 0 before the first. */
  get head(): number {
    return this.#head;
  }

  push(frame: LiveFrame): void {
    this.#open.push(frame);
    this.#openBytes += frame.bytes.length;
    this.#count += 1;
    this.#head = frame.sequence;
    if (this.#openBytes >= this.#blockBytes) this.#close();
    while (this.#blocks.length > 0 && this.#isOverfull()) this.#dropOldest();
  }

  /** Empties the frames of a host that was deleted; their places stay. */
  forgetHost(agentId: string): void {
    const emptied = (frame: LiveFrame): LiveFrame => (frame.agentId === agentId ? { ...frame, bytes: Buffer.alloc(0) } : frame);
    this.#open = this.#open.map(emptied);
    this.#openBytes = bytesOf(this.#open);
    for (const [index, block] of this.#blocks.entries()) {
      if (!block.frames.some((frame) => frame.agentId === agentId)) continue;
      const without = blockOf(framesOf(block).map(emptied));
      this.#compressedBytes += without.compressed.length - block.compressed.length;
      this.#blocks[index] = without;
    }
  }

  /** The frames after a sequence number, at most about `mostBytes` of them; undefined when some of them are forgotten. */
  after(sequence: number, mostBytes: number): LiveFrame[] | undefined {
    if (sequence > this.#head || sequence < this.#head - Math.min(this.#count, this.#capacity)) return undefined;
    const frames: LiveFrame[] = [];
    let taken = 0;
    for (const frame of this.#from(sequence + 1)) {
      if (taken >= mostBytes) break;
      frames.push(frame);
      taken += frame.bytes.length;
    }
    return frames;
  }

  #close(): void {
    const block = blockOf(this.#open);
    this.#blocks.push(block);
    this.#compressedBytes += block.compressed.length;
    this.#open = [];
    this.#openBytes = 0;
  }

  /** Without its oldest block it would still have all that it must. */
  #isOverfull(): boolean {
    return (
      this.#count - (this.#blocks[0]?.frames.length ?? 0) >= this.#capacity || this.#openBytes + this.#compressedBytes > this.#mostBytes
    );
  }

  #dropOldest(): void {
    const oldest = this.#blocks.shift();
    this.#count -= oldest?.frames.length ?? 0;
    this.#compressedBytes -= oldest?.compressed.length ?? 0;
  }

  /** Where frames from a sequence number on begin: blocks, and then the open ones. */
  *#from(sequence: number): Generator<LiveFrame> {
    for (const block of this.#blocks) {
      if ((block.frames.at(-1)?.sequence ?? 0) < sequence) continue;
      for (const frame of framesOf(block)) if (frame.sequence >= sequence) yield frame;
    }
    for (const frame of this.#open) if (frame.sequence >= sequence) yield frame;
  }
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
