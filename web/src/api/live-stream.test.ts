import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { correctServerClock } from "./server-clock.ts";
import { standInForBrowser, TestSource } from "./event-source.fixture.ts";
import { type EventListeners, LiveStream, type LiveState } from "./live-stream.ts";

/** The clock of the device is wrong by so much. */
const DEVICE_AHEAD_MS = 600_000;

/** What the server sends first. */
const hello = () => ({ version: "1.0.0", server_time: new Date(Date.now() - DEVICE_AHEAD_MS).toISOString() });

const page = Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { dataset: {} } });
let sources: TestSource[];
let phases: LiveState["phase"][];
/** When each loss began. */
let since: number[];
let stream: LiveStream;

beforeEach(() => {
  [phases, since] = [[], []];
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  page.visibilityState = "visible";
  sources = standInForBrowser(page);
  const events = new Proxy({}, { ownKeys: () => [] }) as EventListeners;
  stream = new LiveStream({
    events,
    onHello: ({ server_time }) => void correctServerClock(server_time),
    onResync: () => undefined,
    onState(state) {
      phases.push(state.phase);
      if ("sinceMs" in state) since.push(state.sinceMs);
    },
  });
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
    sources[0]?.receives("hello", hello());
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
  assert.equal(sources[0]?.readyState, TestSource.CLOSED);
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

test("a loss begins when the server was last heard, on the server's clock", () => {
  sources[0]?.receives("open");
  mock.timers.tick(5_000);
  sources[0]?.receives("hello", hello());
  const heardMs = Date.now() - DEVICE_AHEAD_MS;
  for (const ms of [45_000, 10_000, 10_000]) mock.timers.tick(ms);
  assert.deepEqual(phases, ["live", "reconnecting", "offline"]);
  assert.deepEqual(since, [heardMs, heardMs]);
});

test("a device that slept does not show a live page when it wakes, and names the time before it slept", () => {
  for (const wake of [() => show("visible"), () => void window.dispatchEvent(new Event("pageshow"))]) {
    [phases, since] = [[], []];
    sources.at(-1)?.receives("open");
    sources.at(-1)?.receives("hello", hello());
    wake();
    assert.deepEqual(phases, ["live"], "it was heard just now");
    const [heardMs, opened] = [Date.now() - DEVICE_AHEAD_MS, sources.length];
    // Timers do not run while it sleeps.
    mock.timers.setTime(Date.now() + 3_600_000);
    wake();
    assert.deepEqual([phases, since], [["live", "reconnecting"], [heardMs]]);
    assert.ok(sources.length > opened, "it is opened again");
  }
});
