import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, it } from "node:test";
import { DAY_MS } from "../contract/time.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createEndedSessions, createSessionStreams } from "./ended-sessions.ts";
import { newSession } from "./session.ts";

function open() {
  const clock = createFakeClock();
  const ended = createEndedSessions({ clock });
  const session = newSession(clock.now());
  const streams = createSessionStreams({ ended, clock });
  return {
    clock,
    end: () => ended.end(session),
    openStream(): ServerResponse {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      streams.hold(session, response);
      return response;
    },
  };
}

describe("the open streams of a session", () => {
  it("that were closed are forgotten, and the others are not", async () => {
    const { end, openStream } = open();
    const [closed, other] = [openStream(), openStream()];
    closed.emit("close");
    await end();
    assert.deepEqual([closed.destroyed, other.destroyed], [false, true]);
  });

  it("that were closed are not looked at again after a day", async () => {
    const { clock, openStream } = open();
    const [closed, other] = [openStream(), openStream()];
    closed.emit("close");
    await clock.advance(DAY_MS);
    assert.deepEqual([closed.destroyed, other.destroyed], [false, true]);
  });
});
