import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { z } from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ErrorCode, ServiceError } from "../../platform/errors.ts";
import { parseEngineAddress } from "./address.ts";
import { type EngineClient, createEngineClient } from "./client.ts";
import { createDockerRuntime } from "./index.ts";

const run = promisify(execFile);
const signal = new AbortController().signal;

describe("engine client", () => {
  const cleanup: (() => Promise<void> | void)[] = [];
  after(async () => {
    for (const undo of cleanup.reverse()) await undo();
  });

  function clientOf(host: string, tlsVerify = false, certPath?: string): EngineClient {
    const client = createEngineClient({ address: parseEngineAddress(host, { tlsVerify }), certPath, clock: systemClock });
    cleanup.push(() => client.close());
    return client;
  }

  async function listen(server: net.Server): Promise<string> {
    const sockets = new Set<net.Socket>();
    server.on("connection", (socket: net.Socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanup.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function temporaryFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "binnacle-client-"));
    cleanup.push(() => rm(folder, { recursive: true }));
    return folder;
  }

  async function answering(handler: http.RequestListener): Promise<EngineClient> {
    return clientOf(await listen(http.createServer(handler)));
  }

  async function fails(promise: Promise<unknown>, code: ErrorCode, message: RegExp): Promise<void> {
    await assert.rejects(promise, (error) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  }

  const version = { route: "version" } as const;
  const anything = z.unknown();

  it("says that there is no socket, and what to do", async () => {
    await fails(
      clientOf("unix:///nowhere/docker.sock").json(anything, version),
      "runtime_unavailable",
      /unix:\/\/\/nowhere\/docker\.sock .*no such socket\. Start Docker, or mount/,
    );
  });

  it("says that a path is not a socket", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    await fails(clientOf(`unix://${folder}/file`).json(anything, version), "runtime_unavailable", /nothing listens there|not a socket/);
  });

  it("says that nothing listens, or that a name does not resolve", async () => {
    await fails(clientOf("tcp://127.0.0.1:1").json(anything, version), "runtime_unavailable", /nothing listens there/);
    await fails(clientOf("tcp://nowhere.invalid:2375").json(anything, version), "runtime_unavailable", /does not resolve|name server/);
  });

  it("knows where on the network the engine is: at once by its address, from the look-up on by its name", async () => {
    const port = Number((await listen(http.createServer((_request, response) => response.end("{}")))).split(":").at(-1));
    const of = (host: string) => createDockerRuntime({ host, clock: systemClock });
    assert.deepEqual(of(`tcp://127.0.0.1:${port}`).networkAddresses(), [{ address: "127.0.0.1", port }]);
    assert.deepEqual(of(`tcp://[::1]:${port}`).networkAddresses(), [{ address: "::1", port }]);
    assert.deepEqual(of("unix:///nowhere/docker.sock").networkAddresses(), []);
    const client = clientOf(`tcp://localhost:${port}`);
    assert.deepEqual(client.networkAddresses(), []);
    await client.json(anything, version);
    assert.ok(client.networkAddresses().some(({ address, port: at }) => address === "127.0.0.1" && at === port));
  });

  it("says within five seconds that a socket accepts and stays silent", async () => {
    const server = net.createServer();
    const accepted = once(server, "connection");
    const clock = createFakeClock();
    const runtime = createDockerRuntime({ host: await listen(server), clock });
    cleanup.push(() => runtime.close());
    const failed = fails(runtime.describe(signal), "runtime_unavailable", /accepted, but no answer came within 4\.5 s/);
    await accepted;
    await clock.advance(5_000);
    await failed;
  });

  it("says that the other side does not speak HTTP, or not TLS", async () => {
    const host = await listen(net.createServer((socket) => socket.on("error", () => {}).end("SSH-2.0-OpenSSH_9.2\r\n")));
    await fails(clientOf(host).json(anything, version), "runtime_unavailable", /not HTTP/);
    await fails(clientOf(host, true).json(anything, version), "runtime_unavailable", /does not speak TLS/);
  });

  it("speaks TLS with the authority in the certificate folder, and says what is wrong with a certificate", async () => {
    const folder = await temporaryFolder();
    const [keyPath, certificatePath] = [join(folder, "server-key.pem"), join(folder, "ca.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    await run("openssl", [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "1",
      ...subject,
      "-keyout",
      keyPath,
      "-out",
      certificatePath,
    ]);
    const server = https.createServer({ key: await readFile(keyPath), cert: await readFile(certificatePath) }, (_request, response) =>
      response.end("{}"),
    );
    const port = (await listen(server)).split(":").at(-1);
    await fails(
      clientOf(`tcp://localhost:${port}`, true).json(anything, version),
      "runtime_unavailable",
      /not trusted\. Put the authority's ca\.pem/,
    );
    await fails(
      clientOf(`https://127.0.0.1:${port}`, true, folder).json(anything, version),
      "runtime_unavailable",
      /certificate is for another name/,
    );
    assert.deepEqual(await clientOf(`https://localhost:${port}`, true, folder).json(anything, version), {});
  });

  it("names Podman where its socket does", async () => {
    await fails(
      clientOf("unix:///run/podman-none/podman.sock").json(anything, version),
      "runtime_unavailable",
      /^Podman at .* Start Podman, or/,
    );
  });

  it("turns statuses into errors that say what to do", async () => {
    const client = await answering((request, response) => {
      const [, status = "", message = ""] = /containers\/(\d+)-(.*)\/json/.exec(decodeURIComponent(request.url ?? "")) ?? [];
      response
        .writeHead(Number(status))
        .end(
          message === "html"
            ? "<html><body>403 Forbidden</body></html>"
            : message === "plain"
              ? "Forbidden by rule"
              : JSON.stringify({ message: message.replaceAll("_", " ") }),
        );
    });
    const ask = (id: string): Promise<unknown> => client.json(anything, { route: "container", id });
    await fails(ask("404-gone"), "not_found", /^gone$/);
    await fails(ask("403-plain"), "runtime_unavailable", /denied, with "Forbidden by rule" \(status 403\)\. If a socket proxy/);
    await fails(ask("403-html"), "runtime_unavailable", /denied, with status 403\. If a socket proxy/);
    await fails(ask("500-no_such_container"), "not_found", /no such container/);
    await fails(ask("500-broken"), "runtime_unavailable", /answered with "broken" \(status 500\)/);
  });

  it("refuses an answer that is too large, no JSON, or not what an engine says", async () => {
    const client = await answering((request, response) => {
      if (request.url === "/_ping") response.end("x".repeat(2000));
      else if (request.url === "/version") response.end("<html>");
      else response.end('{"SystemTime":5}');
    });
    await fails(client.probe({ route: "ping" }), "runtime_unavailable", /larger than 1024 bytes/);
    await fails(client.json(z.object({ Version: z.string() }), version), "runtime_unavailable", /not what an engine says/);
    await fails(client.json(z.object({ SystemTime: z.string() }), { route: "info" }), "runtime_unavailable", /SystemTime: /);
  });

  it("reads a list item by item, and takes nothing for one that is cut off or none", async () => {
    let body = "";
    const client = await answering((_request, response) => response.end(body));
    const list = (answer: string) => {
      body = answer;
      const keep = ({ ID }: { ID: string }): string | undefined => (ID === "skipped" ? undefined : ID);
      return client.list(
        z.object({ ID: z.string() }),
        { route: "tasks" },
        { recall: () => undefined, keep, signal: new AbortController().signal },
      );
    };
    assert.deepEqual(await list('[{"ID":"a"},{"ID":"skipped"},{"ID":"b","of":[{"ID":"c"}]}]'), { data: ["a", "b"] });
    assert.deepEqual(await list("[]"), { data: [] });
    for (const answer of ["", "[", '[{"ID":"a"}', '[{"ID":"a"},', "null", '{"ID":"a"}', `{"ID":"${"a".repeat(500_000)}"}`])
      await fails(list(answer), "runtime_unavailable", /not what an engine says/);
    await fails(list('[{"ID":5}]'), "runtime_unavailable", /ID: /);
  });

  it("asks once more when a kept connection was closed in the same moment", async () => {
    let asked = 0;
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        asked += 1;
        // The second request on a connection finds it broken.
        if (asked === 2) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
      });
    });
    const client = clientOf(await listen(server));
    await client.json(anything, version);
    await client.json(anything, version);
    assert.equal(asked, 3);
  });

  it("stops at once when it is aborted", async () => {
    const client = await answering(() => {});
    const stop = new AbortController();
    const asking = client.json(anything, version, stop.signal);
    stop.abort();
    await assert.rejects(asking);
  });
});
