import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { afterEach, describe, it } from "node:test";
import { peerOfUrl, urlName } from "./exchange.ts";
import { createBadServers, failure, probe } from "../../../test/support/probe.ts";

const servers = createBadServers();
afterEach(servers.close);

it("asks the usual port of a URL that names none, and an IPv6 address without its brackets", () => {
  const peers = ["http://shop.example/", "https://shop.example/", "http://[::1]/", "https://[::1]:8443/"].map((url) =>
    peerOfUrl(new URL(url)),
  );
  assert.deepEqual(
    peers.map(({ host, port }) => `${host} ${port}`),
    ["shop.example 80", "shop.example 443", "::1 80", "::1 8443"],
  );
});

describe("redirects of a check", () => {
  it("are followed with the method that they ask for", async () => {
    const seen: string[] = [];
    const url = await servers.serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      const [, status] = /^\/(\d+)$/.exec(request.url ?? "") ?? [];
      if (status === undefined) return response.end();
      return response.writeHead(Number(status), { location: "/end" }).end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      for (const method of ["POST", "HEAD", "PUT"]) {
        seen.length = 0;
        const { result } = await probe(`${url}/${status}`, { method });
        assert.equal(result.success, true);
        const then = status === 303 && method !== "HEAD" ? "GET" : method === "POST" && status < 303 ? "GET" : method;
        assert.deepEqual(seen, [`${method} /${status}`, `${then} /end`]);
      }
    }
  });

  it("keep credentials within the origin and nowhere else", async () => {
    const seen: Record<string, IncomingMessage["headers"]> = {};
    const other = await servers.serve((request, response) => {
      seen["other"] = request.headers;
      response.end();
    });
    const url = await servers.serve((request, response) => {
      seen[request.url ?? ""] = request.headers;
      response.writeHead(302, { location: request.url === "/" ? "/same" : `${other.replace("//", "//eve:trap@")}/` }).end();
    });
    const headers = { Authorization: "Bearer a", "X-Api-Key": "b", Cookie: "c", Host: "shop.example", Accept: "text/html", "X-Shop": "d" };
    assert.equal((await probe(url, { headers })).result.success, true);
    const { authorization, cookie, host, accept, "x-api-key": key, "x-shop": shop } = seen["/same"] ?? {};
    assert.deepEqual([authorization, key, cookie, host, accept, shop], ["Bearer a", "b", "c", "shop.example", "text/html", "d"]);
    const elsewhere = seen["other"] ?? {};
    assert.deepEqual(
      [elsewhere.authorization, elsewhere["x-api-key"], elsewhere.cookie, elsewhere.host, elsewhere.accept, elsewhere["x-shop"]],
      [undefined, undefined, undefined, new URL(other).host, "text/html", undefined],
    );
  });

  it("are named without what may be secret", () => {
    assert.equal(urlName(new URL("https://ann:b@host.test:8443/a/b?token=c#d")), "https://host.test:8443/a/b");
    assert.equal(urlName(new URL("https://hooks.slack.com/services/T0/B0/xyz")), "https://hooks.slack.com/***");
  });

  it("are a circle whatever the user in them", async () => {
    let times = 0;
    const url = await servers.serve((request, response) => {
      times += 1;
      response.writeHead(302, { location: `http://user${times}@${request.headers.host}/` }).end();
    });
    assert.match(await failure(probe(url.replace("//", "//ann:b@"))), /redirects in a circle/);
  });

  it("end somewhere", async () => {
    const url = await servers.serve((request, response) => {
      const number = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0);
      const location = { "/circle": "/circle2", "/circle2": "/circle", "/nowhere": undefined, "/ftp": "ftp://a/b?token=hunter2" }[
        request.url ?? ""
      ];
      if (request.url === "/nowhere") return response.writeHead(302).end();
      return response.writeHead(302, { location: location ?? `/${number + 1}?token=hunter2` }).end();
    });
    assert.equal(await failure(probe(`${url}/circle`)), "http: http://HOST/circle redirects in a circle, back to http://HOST/circle.");
    assert.equal(await failure(probe(`${url}/0`)), "http: http://HOST/0 redirects more than 5 times, lastly to http://HOST/6.");
    assert.equal(
      await failure(probe(`${url}/0`, { maxRedirects: 1 })),
      "http: http://HOST/0 redirects more than once, lastly to http://HOST/2.",
    );
    assert.equal(await failure(probe(`${url}/0`, { maxRedirects: 0 })), "http: http://HOST/0 answered 302; expected 2xx.");
    assert.equal(await failure(probe(`${url}/nowhere`)), "http: http://HOST/nowhere answered 302 without saying where to go.");
    assert.equal(
      await failure(probe(`${url}/ftp`)),
      "http: http://HOST/ftp answered 302 and points to an address that is not one of http or https.",
    );
  });

  it("are judged where they lead", async () => {
    const url = await servers.serve((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/login" }).end();
      else response.writeHead(403).end();
    });
    assert.equal(await failure(probe(url)), "http: http://HOST/login, to which http://HOST/ redirects, answered 403; expected 2xx.");
  });
});
