/** The client of servers/event-rows.ts: batches of the same protocol, in which each event is about one thing. */
import { randomBytes } from "node:crypto";
import { encodeEvent, INGEST_SERVICE, takeBatch } from "../../../src/fleet/wire/index.ts";
import type { MadeReadings } from "../readings.ts";
import { framed, openConnection } from "./stream.ts";

export interface RowsOptions {
  port: number;
  streams: number;
  /** In all. */
  events: number;
  /** Events in a message. */
  batch: number;
  /** Messages of a stream in flight at once. */
  window: number;
  readings: MadeReadings;
}

/** Sends so many events over so many streams; answers how long it took until all were saved. */
export async function sendRows({
  port,
  streams,
  events,
  batch,
  window,
  readings,
}: RowsOptions): Promise<{ seconds: number; events: number }> {
  const rounds = Math.ceil(events / streams / batch);
  const frames = Array.from({ length: 20 }, (_, kind) => framed(messageOf(readings, kind * batch, batch)));
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: streams }, (_, stream) => sendStream(stream)));
  return { seconds: (performance.now() - startedMs) / 1000, events: rounds * streams * batch };

  async function sendStream(stream: number): Promise<void> {
    const done = Promise.withResolvers<void>();
    const connection = openConnection(port);
    let sent = 0;
    let saved = 0;
    const { call, ended } = connection.open(INGEST_SERVICE.push.path, () => {
      saved += 1;
      if (sent < rounds) send();
      if (saved === rounds) done.resolve();
    });
    void ended.then(({ status, message }) => done.reject(new Error(`the baseline ended a stream with ${status}: ${message}`)));
    function send(): void {
      sent += 1;
      call.write(frames[(stream + sent) % frames.length]);
    }
    while (sent < Math.min(window, rounds)) send();
    await done.promise;
    connection.close();
  }
}

/** What one container uses, as a separate event: its id, and seven numbers. */
function messageOf(readings: MadeReadings, from: number, count: number): Uint8Array {
  const observedAt = new Date();
  const { columns, externalIds } = readings.at(0);
  const events = Array.from({ length: count }, (_, index) => {
    const place = (from + index) % externalIds.length;
    const host = {
      hostname: externalIds[place] ?? "",
      os: null,
      cpuCount: 0,
      cpuPercent: columns.cpuPercent[place] ?? 0,
      memoryBytes: columns.memoryBytes[place] ?? 0,
      memoryTotalBytes: columns.memoryLimitBytes[place] ?? 0,
      diskBytes: columns.diskReadBytesPerSecond[place] ?? 0,
      diskTotalBytes: columns.diskWriteBytesPerSecond[place] ?? 0,
      load: [columns.networkRxBytesPerSecond[place] ?? 0, columns.networkTxBytesPerSecond[place] ?? 0, 0] as [number, number, number],
      uptimeSeconds: null,
    };
    const bytes = encodeEvent({
      seq: index + 1,
      eventId: randomBytes(16),
      replayed: false,
      observation: { kind: "host.sampled", observedAt, host },
    });
    return { seq: index + 1, bytes };
  });
  const batch = takeBatch(events);
  if (batch?.count !== count) throw new Error("the events do not fit into a batch");
  return batch.message;
}
