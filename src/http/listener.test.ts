import assert from "node:assert/strict";
import { connect } from "node:net";
import { afterEach, describe, it } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { defaultHttpConfig } from "../../test/support/http-server.ts";
import { until } from "../../test/support/until.ts";
import { HttpListener, type PlainAnswer } from "./listener.ts";

const open: HttpListener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

const plain = (status: number, body: string): PlainAnswer => ({ status, headers: { "content-type": "text/plain" }, body });

async function listen() {
  const clock = createFakeClock();
  const waiting: string[] = [];
  const listener = new HttpListener({
    ...{ config: defaultHttpConfig, clock },
    starting: {
      atOnce(request) {
        if (request.url === "/alive") return plain(200, "alive");
        waiting.push(String(request.url));
        return undefined;
      },
      later: () => plain(503, "later"),
    },
  });
  open.push(listener);
  await listener.open();
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`${listener.url}${path}`);
    return `${response.status} ${await response.text()}`;
  };
  const wait = async (path: string): Promise<{ answer: Promise<string> }> => {
    const answer = get(path);
    await until(() => waiting.includes(path));
    return { answer };
  };
  const answer = (): void =>
    listener.answerBy({
      request: ({ url }, response) => void response.end(`answered ${url}`),
      clientError: (_error, socket) => socket.destroy(),
    });
  return { listener, clock, get, wait, waiting, answer };
}

describe("a port that is open before there is an answer", () => {
  it("answers at once what it can, and keeps other requests until the server is ready", async () => {
    const { get, wait, answer } = await listen();
    const kept = await wait("/kept");
    assert.equal(await get("/alive"), "200 alive");
    answer();
    assert.equal(await kept.answer, "200 answered /kept");
    assert.equal(await get("/alive"), "200 answered /alive");
  });

  it("keeps a body too", async () => {
    const { listener, waiting } = await listen();
    const sent = fetch(`${listener.url}/body`, { method: "POST", body: "x".repeat(100_000) });
    await until(() => waiting.length === 1);
    listener.answerBy({
      async request(request, response) {
        let bytes = 0;
        for await (const chunk of request) bytes += (chunk as Buffer).length;
        response.end(String(bytes));
      },
      clientError: (_error, socket) => socket.destroy(),
    });
    assert.equal(await (await sent).text(), "100000");
  });

  it("keeps none for more than ten seconds", async () => {
    const { clock, wait } = await listen();
    const kept = await wait("/kept");
    await clock.advance(9_999);
    const second = await wait("/second");
    await clock.advance(1);
    assert.equal(await kept.answer, "503 later");
    await clock.advance(9_999);
    assert.equal(await second.answer, "503 later");
  });

  it("keeps 256, and has room again for one that goes", async () => {
    const { listener, get, wait, answer, waiting } = await listen();
    const gone = connect(Number(new URL(listener.url).port), "127.0.0.1").on("error", () => undefined);
    gone.write("GET /gone HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await until(() => waiting.length === 1);
    const kept = await Promise.all(Array.from({ length: 255 }, (_, index) => wait(`/${index}`)));
    assert.equal(await get("/one-more"), "503 later");
    gone.destroy();
    const last = await until(async () => {
      const asked = get("/last");
      return (await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 100, "kept"))])) === "kept" ? { asked } : undefined;
    });
    answer();
    assert.equal(await last.asked, "200 answered /last");
    const answers = await Promise.all(kept.map((each) => each.answer));
    assert.equal(answers.at(-1), "200 answered /254");
  });

  it("answers those it keeps when it closes, and may be closed twice", async () => {
    const { listener, wait } = await listen();
    const { url } = listener;
    const kept = await wait("/kept");
    await Promise.all([listener.close(), listener.close()]);
    assert.equal(await kept.answer, "503 later");
    await assert.rejects(fetch(`${url}/alive`));
  });

  it("keeps requests again once nobody answers any more", async () => {
    const { listener, get, wait, answer } = await listen();
    answer();
    assert.equal(await get("/first"), "200 answered /first");
    listener.answerBy(undefined);
    const kept = await wait("/kept");
    answer();
    assert.equal(await kept.answer, "200 answered /kept");
  });
});
