/** One event as it went out. */
export interface LiveFrame {
  readonly sequence: number;
  readonly type: string;
  /** undefined concerns every host, null is the local one. */
  readonly agentId: string | null | undefined;
  readonly bytes: Buffer;
}

/** The last frames, in order, bounded in number and in bytes. */
export interface Ring {
  push(frame: LiveFrame): void;
  /** Empties the frames of a host that was deleted; their places stay. */
  forgetHost(agentId: string): void;
  /** The frames after a sequence number, at most about `mostBytes` of them; undefined when some of them are forgotten. */
  after(sequence: number, mostBytes: number): LiveFrame[] | undefined;
  /** The last sequence number; 0 before the first. */
  readonly head: number;
}

export function createRing({ capacity, mostBytes }: { capacity: number; mostBytes: number }): Ring {
  const slots: (LiveFrame | undefined)[] = Array.from({ length: capacity });
  let head = 0;
  /** The oldest sequence number still kept. */
  let tail = 1;
  let bytes = 0;

  function dropOldest(): void {
    bytes -= slots[tail % capacity]?.bytes.length ?? 0;
    slots[tail % capacity] = undefined;
    tail += 1;
  }

  return {
    push(frame) {
      if (frame.sequence - tail >= capacity) dropOldest();
      slots[frame.sequence % capacity] = frame;
      head = frame.sequence;
      bytes += frame.bytes.length;
      while (bytes > mostBytes && tail < head) dropOldest();
    },
    forgetHost(agentId) {
      for (const [slot, frame] of slots.entries()) {
        if (frame?.agentId !== agentId) continue;
        slots[slot] = { ...frame, bytes: Buffer.alloc(0) };
        bytes -= frame.bytes.length;
      }
    },
    after(sequence, wantedBytes) {
      if (sequence > head || sequence + 1 < tail) return undefined;
      const frames: LiveFrame[] = [];
      let taken = 0;
      for (let next = sequence + 1; next <= head && taken < wantedBytes; next += 1) {
        const frame = slots[next % capacity];
        if (frame === undefined) return undefined;
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
