import { randomBytes } from "node:crypto";
import { type Event, SUPERSEDED_EVENTS, EVENTS } from "../../events.ts";
import { type EventStream, encodeEvent } from "../../http/sse.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { EventsQuery } from "./api.ts";
import { type LiveFrame, Ring } from "./ring.ts";

const NAMES: readonly string[] = Object.keys(EVENTS);

interface Filter {
  /** The same for two filters that let the same pass. */
  readonly key: string;
  admits(frame: Pick<LiveFrame, "type" | "agentId">): boolean;
}

export function createFilter({ types: wanted, agent_id: host }: EventsQuery): Filter {
  const names =
    wanted === undefined ? undefined : NAMES.filter((name) => wanted.includes(name) || wanted.includes(`${name.split(".")[0]}.*`));
  const agentId = host === "local" ? null : host;
  return {
    key: JSON.stringify([names ?? null, host ?? null]),
    admits: (frame) =>
      (names === undefined || names.includes(frame.type)) &&
      (host === undefined || frame.agentId === undefined || frame.agentId === agentId),
  };
}

const RING_EVENTS = 10_000;
/** Compressed, about a tenth of what was sent. */
const RING_BYTES = 8_388_608;
/** Read from the ring at once while a client catches up. */
const REPLAY_BYTES = 262_144;
/** With many clients a write to each costs more than what is written, so events wait for each other: this long for each client, up to the most. */
const WAIT_PER_CLIENT_MS = 0.05;
const MOST_WAIT_MS = 50;

/** Sends each event to every stream that wants it, encoded once. One that the next of its kind supersedes has no id and is not kept. */
export interface Hub {
  publish(event: Event): void;
  /** The id of the newest event: a stream resumed after it misses nothing of what is published from now on. */
  newestId(): string;
  /** Feeds a stream until it ends: first what it missed after `lastEventId`, then what comes. */
  feed(stream: EventStream, filter: Filter, lastEventId: string | undefined): Promise<void>;
}

interface Group {
  readonly filter: Filter;
  /** Each with what to call when it has fallen behind, or has ended. */
  readonly members: Map<EventStream, () => void>;
  /** Admitted since the last flush. */
  frames: Buffer[];
}

export function createHub({ clock, log, version }: { clock: Clock; log: Log; version: string }): Hub {
  /** Sequence numbers restart at each start, so an id also says of which start it is. */
  const start = randomBytes(6).toString("hex");
  const ring = new Ring({ capacity: RING_EVENTS, mostBytes: RING_BYTES });
  const groups = new Map<string, Group>();
  let timer: Timer | undefined;
  let memberCount = 0;
  let flushedAtMs = Number.NEGATIVE_INFINITY;

  const idOf = (sequence: number): string => `${start}-${sequence}`;

  function sequenceOf(id: string): number | undefined {
    const [, ofStart, digits] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(id) ?? [];
    return ofStart === start ? Number(digits) : undefined;
  }

  function flush(): void {
    timer?.cancel();
    timer = undefined;
    flushedAtMs = clock.monotonicMs();
    for (const { frames, members } of groups.values()) {
      if (frames.length === 0) continue;
      const bytes = Buffer.concat(frames);
      frames.length = 0;
      for (const [stream, leave] of members) if (!stream.push(bytes)) leave();
    }
  }

  /** Makes a stream that has missed nothing a member of its group, and waits until it falls behind or ends. Returns what it was sent last. */
  async function follow(stream: EventStream, filter: Filter): Promise<number> {
    flush();
    let group = groups.get(filter.key);
    if (group === undefined) groups.set(filter.key, (group = { filter, members: new Map(), frames: [] }));
    const { members } = group;
    const sent = await new Promise<number>((resolve) => {
      const leave = (): void => {
        stream.signal.removeEventListener("abort", leave);
        if (members.delete(stream)) memberCount -= 1;
        resolve(ring.head);
      };
      stream.signal.addEventListener("abort", leave);
      members.set(stream, leave);
      memberCount += 1;
    });
    if (members.size === 0 && groups.get(filter.key) === group) groups.delete(filter.key);
    return sent;
  }

  function send(bytes: Buffer, wanting: readonly Group[]): void {
    for (const { frames } of wanting) frames.push(bytes);
    if (timer !== undefined || memberCount === 0) return;
    const restMs = Math.min(MOST_WAIT_MS, memberCount * WAIT_PER_CLIENT_MS) - (clock.monotonicMs() - flushedAtMs);
    timer = clock.after(Math.max(restMs, 0), flush);
  }

  return {
    newestId: () => idOf(ring.head),
    publish({ type, data }) {
      if (type === "agent.deleted") ring.forgetHost(data.id);
      const about = { type, agentId: data.agent_id };
      const wanting = [...groups.values()].filter(({ filter }) => filter.admits(about));
      if (SUPERSEDED_EVENTS.has(type)) {
        if (wanting.length > 0) send(encodeEvent({ event: type, data }), wanting);
        return;
      }
      const sequence = ring.head + 1;
      const bytes = encodeEvent({ id: idOf(sequence), event: type, data });
      ring.push({ sequence, ...about, bytes });
      send(bytes, wanting);
    },

    async feed(stream, filter, lastEventId) {
      const hello = { version, server_time: clock.now().toISOString() };
      let sent = lastEventId === undefined ? ring.head : sequenceOf(lastEventId);
      // While resuming, the client's place is still the old one, so hello must not move it.
      stream.push(encodeEvent({ ...(lastEventId === undefined ? { id: idOf(ring.head) } : {}), event: "hello", data: hello }));
      if (sent === undefined || ring.after(sent, 0) === undefined) {
        sent = ring.head;
        stream.push(encodeEvent({ id: idOf(sent), event: "resync", data: { reason: "forgotten" } }));
      }
      while (!stream.signal.aborted) {
        const missed = ring.after(sent, REPLAY_BYTES);
        if (missed === undefined) {
          log.info({ events_kept: RING_EVENTS }, "a client of the event stream fell too far behind and was cut");
          return stream.cut();
        }
        const last = missed.at(-1);
        if (last === undefined) {
          sent = await follow(stream, filter);
        } else {
          stream.push(Buffer.concat(missed.filter(filter.admits).map((frame) => frame.bytes)));
          sent = last.sequence;
        }
        await stream.drained();
      }
    },
  };
}
