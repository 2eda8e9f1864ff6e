import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { type EventListeners, LiveStream, type LiveState } from "./live-stream.ts";

/** As a browser has it: it opens, fails and ends when the test receives so. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  close(): void {
    this.readyState = Source.CLOSED;
  }
  receives(name: string, data?: object): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data ?? {}), lastEventId: "" }));
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { dataset: {} } });
let sources: Source[];
let phases: LiveState["phase"][];
let stream: LiveStream;

beforeEach(() => {
  [sources, phases] = [[], []];
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  page.visibilityState = "visible";
  Object.assign(globalThis, {
    window: new EventTarget(),
    document: page,
    EventSource: class extends Source {
      constructor() {
        super();
        sources.push(this);
      }
    },
  });
  const events = new Proxy({}, { ownKeys: () => [] }) as EventListeners;
  stream = new LiveStream({ events, onHello: () => undefined, onResync: () => undefined, onState: ({ phase }) => phases.push(phase) });
});
afterEach(() => {
  stream.close();
  mock.timers.reset();
});

function show(visibilityState: "visible" | "hidden"): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("a stream that does not open is lost, and tried again", () => {
  mock.timers.tick(9_999);
  assert.deepEqual(phases, []);
  mock.timers.tick(1);
  mock.timers.tick(10_000);
  assert.deepEqual(phases, ["reconnecting", "offline"]);
  mock.timers.tick(20_000);
  assert.equal(sources.length, 2);
  sources[1]?.receives("open");
  assert.equal(phases.at(-1), "live");
});

test("a stream that sends nothing is opened again, and is lost when that does not succeed", () => {
  sources[0]?.receives("open");
  for (let second = 0; second < 90; second += 10) {
    mock.timers.tick(10_000);
    sources[0]?.receives("hello");
  }
  assert.equal(sources.length, 1);
  mock.timers.tick(45_000);
  assert.deepEqual([sources.length, phases], [2, ["live"]]);
  mock.timers.tick(10_000);
  assert.deepEqual(phases, ["live", "reconnecting"]);
});

test("a page that was hidden for long is not live before its stream is open again", () => {
  sources[0]?.receives("open");
  show("hidden");
  mock.timers.tick(30_000);
  assert.equal(sources[0]?.readyState, Source.CLOSED);
  mock.timers.tick(3_600_000);
  assert.deepEqual([sources.length, phases], [1, ["live", "reconnecting"]]);
  show("visible");
  mock.timers.tick(9_000);
  assert.deepEqual([sources.length, phases.at(-1)], [2, "reconnecting"]);
  mock.timers.tick(1_000);
  assert.equal(phases.at(-1), "offline");
  sources[1]?.receives("open");
  assert.equal(phases.at(-1), "live");
});
