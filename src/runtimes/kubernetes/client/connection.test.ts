import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { type StandIn, startStandIn } from "../../../../test/support/kubernetes/stand-in.ts";
import { turnUntil } from "../../../../test/support/turn-until.ts";
import { type Clock, systemClock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import { type ClusterAccess, NO_IDENTITY } from "./access.ts";
import type { KubernetesClient } from "./client.ts";
import { createKubernetesClient } from "./connection.ts";

const signal = new AbortController().signal;
const anything = z.unknown();

describe("connection to an API server", () => {
  let server: StandIn;
  const clients: KubernetesClient[] = [];
  before(async () => {
    server = await startStandIn();
  });
  after(async () => {
    for (const client of clients) await client.close();
    await server.stop();
  });

  function clientOf(access: Partial<ClusterAccess> = {}, clock: Clock = systemClock): KubernetesClient {
    const client = createKubernetesClient({ ...server.access, ...access }, clock);
    clients.push(client);
    return client;
  }

  /** Answers with the status, and a Status object that says why. */
  function refuse(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
    response.writeHead(code, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify({ kind: "Status", status: "Failure", message: "no", reason: "Because", code }));
  }

  async function fails(work: Promise<unknown>, message: RegExp): Promise<void> {
    await assert.rejects(work, (error) => {
      assert.ok(isServiceError(error, "runtime_unavailable"), String(error));
      assert.match(error.message, message);
      assert.ok(!error.message.includes("secret-token"), "the token is in the message");
      return true;
    });
  }

  it("knows where on the network the API server is: at once by its address, from the look-up on by its name", async () => {
    server.answer((_request, response) => void response.end("{}"));
    const { port } = server.access;
    assert.deepEqual(clientOf().networkAddresses(), [{ address: "127.0.0.1", port }]);
    const named = clientOf({ host: "localhost", serverName: "127.0.0.1" });
    assert.deepEqual(named.networkAddresses(), []);
    await named.read(anything, "/api/v1/x", { signal });
    assert.ok(named.networkAddresses().some(({ address }) => address === "127.0.0.1"));
    assert.ok(!named.networkAddresses().some(({ address }) => address === "localhost"));
  });

  it("takes the credentials that were put into its kubeconfig since, once those of before are refused", async () => {
    const seen: unknown[] = [];
    server.answer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.headers.authorization === "Bearer next") response.end("{}");
      else refuse(response, 401);
    });
    let token = "old";
    const renewed = (): ClusterAccess["identity"] => {
      if (token === "") throw new Error("is being written");
      return { ...NO_IDENTITY, token: { kind: "text", text: token } };
    };
    const client = clientOf({ identity: renewed(), renewed });
    token = "";
    const refused = await client.read(anything, "/api/v1/x", { signal });
    assert.ok("refused" in refused && refused.refused.status === 401);
    token = "next";
    assert.ok("data" in (await client.read(anything, "/api/v1/x", { signal })));
    assert.deepEqual(seen, ["Bearer old", "Bearer old", "Bearer old", "Bearer next"]);
  });

  it("asks with its name and its token, and checks what is answered", async () => {
    const seen: IncomingMessage[] = [];
    server.answer((request, response) => {
      seen.push(request);
      response.end('{"kind":"Pod","extra":1}');
    });
    const answer = await clientOf().read(z.object({ kind: z.string() }), "/api/v1/x", { query: { limit: "5", a: "b c" }, signal });
    assert.deepEqual(answer, { data: { kind: "Pod" } });
    assert.equal(seen[0]?.url, "/api/v1/x?limit=5&a=b+c");
    assert.equal(seen[0]?.headers.authorization, "Bearer secret-token");
    // The audit log of the API server shows it.
    assert.equal(seen[0]?.headers["user-agent"], "binnacle");
    await fails(clientOf().read(z.object({ kind: z.number() }), "/api/v1/x", { signal }), /is not what an API server says \(kind:/);
  });

  it("puts the path of a gateway before its own", async () => {
    let url: string | undefined;
    server.answer((request, response) => {
      ({ url } = request);
      response.end("{}");
    });
    await clientOf({ basePath: "/k8s/clusters/c-1" }).read(anything, "/api", { signal });
    assert.equal(url, "/k8s/clusters/c-1/api");
  });

  it("answers with what was refused, and follows no redirect", async () => {
    server.answer((_, response) => refuse(response, 403));
    assert.deepEqual(await clientOf().read(anything, "/api", { signal }), { refused: { status: 403, reason: "Because", message: "no" } });
    let asked = 0;
    server.answer((_, response) => {
      asked += 1;
      response.writeHead(302, { Location: "/elsewhere" }).end("<html>moved</html>");
    });
    const { refused } = (await clientOf().read(anything, "/api", { signal })) as { refused: { status: number; message: string } };
    assert.equal(refused.status, 302);
    assert.match(refused.message, /redirect/);
    assert.equal(asked, 1);
  });

  it("reads its token again when it is refused, once", async () => {
    const path = join(server.folder, "token");
    await writeFile(path, "old\n");
    const tokens: string[] = [];
    server.answer((request, response) => {
      tokens.push(String(request.headers.authorization));
      if (request.headers.authorization === "Bearer new") response.end("{}");
      else refuse(response, 401);
    });
    const client = clientOf({ identity: { token: { kind: "file", path }, certificate: null, plugin: null } });
    assert.ok("refused" in (await client.read(anything, "/api", { signal })));
    assert.deepEqual(tokens, ["Bearer old", "Bearer old"]);
    await writeFile(path, "new\n");
    assert.ok("data" in (await client.read(anything, "/api", { signal })));
    assert.deepEqual(tokens.slice(2), ["Bearer old", "Bearer new"]);
  });

  it("comes again when it is asked to, three times at most", async () => {
    const clock = createFakeClock();
    let asked = 0;
    server.answer((_, response) => {
      asked += 1;
      refuse(response, 429, { "Retry-After": "1" });
    });
    let outcome: unknown;
    void clientOf({}, clock)
      .read(anything, "/api", { signal })
      .then((answer) => (outcome = answer));
    await turnUntil(clock, () => outcome !== undefined, { stepMs: 500, mostMs: 25_000, everyMs: 20 });
    assert.equal(asked, 4);
    assert.deepEqual(outcome, { refused: { status: 429, reason: "Because", message: "no" } });
  });

  it("gives up an answer that does not come, or does not end", async () => {
    for (const head of ["", '{"a":']) {
      const clock = createFakeClock();
      server.answer((_, response) => {
        if (head !== "") response.write(head);
      });
      let failure: unknown;
      clientOf({}, clock)
        .read(anything, "/api", { signal, timeoutMs: 5000 })
        .catch((error: unknown) => (failure = error));
      await turnUntil(clock, () => failure !== undefined, { stepMs: 500, mostMs: 10_000, everyMs: 20 });
      await fails(Promise.reject(failure), /no answer came within 5 s/);
    }
  });

  it("ends with the reason of the signal", async () => {
    server.answer(() => undefined);
    const ending = new AbortController();
    const reading = clientOf().read(anything, "/api", { signal: ending.signal });
    const why = new Error("enough");
    ending.abort(why);
    await assert.rejects(reading, (error) => error === why);
  });

  it("does not read an answer without end", async () => {
    server.answer((_, response) => {
      const block = "x".repeat(1024 * 1024);
      const more = (): void => {
        while (response.write(block));
        response.once("drain", more);
      };
      response.on("error", () => undefined);
      more();
    });
    await fails(clientOf().read(anything, "/api", { signal }), /larger than 33554432 bytes/);
  });

  it("reads a stream as it comes, and ends one that stays silent", async () => {
    const clock = createFakeClock();
    server.answer((_, response) => void response.write("one\n"));
    const answer = await clientOf({}, clock).stream("/watch", { signal, idleTimeoutMs: 60_000 });
    assert.ok("body" in answer);
    // Whoever has read enough ends it.
    answer.body.on("error", () => undefined);
    const [first] = (await answer.body.take(1).toArray()) as Buffer[];
    assert.equal(String(first), "one\n");
    const second = await clientOf({}, clock).stream("/watch", { signal, idleTimeoutMs: 60_000 });
    assert.ok("body" in second);
    let failure: unknown;
    second.body.on("error", (error) => (failure = error)).resume();
    await clock.advance(50_000);
    assert.equal(failure, undefined);
    await turnUntil(clock, () => failure !== undefined, { stepMs: 1000, mostMs: 20_000, everyMs: 20 });
    await fails(Promise.reject(failure), /no answer came within 60 s/);
  });

  it("fails a stream that is broken off, and ends one that ends", async () => {
    server.answer((_, response) => void response.write("one\n"));
    const broken = await clientOf().stream("/watch", { signal });
    assert.ok("body" in broken);
    const reading = broken.body.toArray();
    broken.body.once("data", () => server.breakOff());
    await fails(reading, /the connection was closed/);
    server.answer((_, response) => void response.end("one\n"));
    const whole = await clientOf().stream("/watch", { signal });
    assert.ok("body" in whole);
    assert.equal(Buffer.concat((await whole.body.toArray()) as Buffer[]).toString(), "one\n");
  });

  it("trusts the authority it was given, and no other", async () => {
    server.answer((_, response) => void response.end("{}"));
    const stranger = await startStandIn();
    try {
      await fails(
        clientOf({ authority: { kind: "text", text: stranger.ca.cert } }).read(anything, "/api", { signal }),
        /not signed by the authority of context test/,
      );
      await fails(clientOf({ authority: null }).read(anything, "/api", { signal }), /not signed by the authority/);
      await clientOf({ authority: null, isVerified: false }).read(anything, "/api", { signal });
      await fails(clientOf({ serverName: "other.test" }).read(anything, "/api", { signal }), /is for another name/);
      await clientOf({ serverName: "api.test" }).read(anything, "/api", { signal });
    } finally {
      await stranger.stop();
    }
  });

  it("says what is wrong with an address where no API server is", async () => {
    const mute = createServer((socket) => void socket.resume().end("SSH-2.0-OpenSSH_9.2\r\n"));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const address = mute.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await fails(clientOf({ port }).read(anything, "/api", { signal }), /does not speak TLS there/);
    await new Promise((resolve) => mute.close(resolve));
    await fails(clientOf({ port }).read(anything, "/api", { signal }), /nothing listens there/);
  });

  it("sends no token that would be two headers", async () => {
    const token = { kind: "text", text: "a\r\nX-Other: secret-token" } as const;
    await fails(
      clientOf({ identity: { token, certificate: null, plugin: null } }).read(anything, "/api", { signal }),
      /has characters that no token has/,
    );
  });

  it("is over once it is closed", async () => {
    server.answer(() => undefined);
    const client = clientOf();
    const reading = client.read(anything, "/api", { signal });
    await client.close();
    await fails(reading, /the connection to it was closed/);
  });
});
