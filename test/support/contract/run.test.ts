import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../seed.ts";
import { runContract } from "./run.ts";
import { type Break, DOCUMENT, send, startSmallServer } from "./small-server.ts";
import type { Finding } from "./verdict.ts";

/** What a run finds of a server that is broken so, as `rule of operation`. */
async function found(breaks: Break): Promise<string[]> {
  const server = await startSmallServer(breaks);
  try {
    const [seed = 0] = fc.sample(fc.integer(), 1);
    const amounts = { bordersOfOperation: 1000, randomOfOperation: 5, rounds: 1 };
    const { findings, visited, operations } = await runContract({ url: server.url, document: DOCUMENT, seed, amounts });
    assert.deepEqual([...visited].toSorted(), ["create", "get", "list", "remove"]);
    assert.equal(operations, 4);
    return [...new Set(findings.map(({ rule, operation }) => `${rule} of ${operation}`))].toSorted();
  } finally {
    server.stop();
  }
}

describe("the generator of the contract test", () => {
  it("finds nothing wrong with a server that keeps its document", async () => {
    assert.deepEqual(await found(() => false), []);
  });

  const nameOf = (body: string): string => /^\{"name":"(.*)"\}$/.exec(body)?.[1] ?? "";
  const cases: [what: string, finding: `${Finding["rule"]} of ${string}`, breaks: Break][] = [
    [
      "a status that is not declared",
      "undeclared_status of list",
      ({ method, path }, response) => {
        if (method !== "GET" || path !== "/things") return false;
        send(response, 418, { error: { code: "teapot", message: "no" } });
        return true;
      },
    ],
    [
      "a body that is not as declared",
      "body of list",
      ({ method, path }, response) => {
        if (method !== "GET" || path !== "/things") return false;
        send(response, 200, { things: "none" });
        return true;
      },
    ],
    [
      "a body that is no JSON",
      "body of get",
      ({ method, path }, response) => {
        if (method !== "GET" || !path.startsWith("/things/")) return false;
        response.writeHead(404, { "content-type": "application/json" }).end("<p>not here</p>");
        return true;
      },
    ],
    [
      "another type of body than is declared",
      "content_type of list",
      ({ method, path }, response) => {
        if (method !== "GET" || path !== "/things") return false;
        response.writeHead(200, { "content-type": "text/html" }).end("<p>none</p>");
        return true;
      },
    ],
    [
      "a failure of the server for a long name",
      "server_error of create",
      ({ method, body }, response) => {
        if (method !== "POST" || nameOf(body).length !== 5) return false;
        send(response, 500, { error: { code: "internal", message: "no" } });
        return true;
      },
    ],
    [
      "an error without its envelope",
      "envelope of remove",
      ({ method, path }, response) => {
        if (method !== "DELETE" || path !== "/things/1000000") return false;
        send(response, 404, { message: "no" });
        return true;
      },
    ],
    [
      "invalid input that is accepted: a name of six characters",
      "accepted_invalid of create",
      ({ method, body }, response) => {
        if (method !== "POST" || nameOf(body) !== "aaaaaa") return false;
        send(response, 201, { id: 1, name: "aaaaaa" });
        return true;
      },
    ],
    [
      "an invalid query that is accepted",
      "accepted_invalid of list",
      ({ method, path }, response) => {
        if (method !== "GET" || path !== "/things?limit=10") return false;
        send(response, 200, { things: [] });
        return true;
      },
    ],
    [
      "valid input that is refused: a name of five characters",
      "refused_valid of create",
      ({ method, body }, response) => {
        if (method !== "POST" || nameOf(body) !== "aaaaa") return false;
        send(response, 400, { error: { code: "validation_failed", message: "no" } });
        return true;
      },
    ],
    [
      "a body of another type that is accepted",
      "wrong_status of create",
      ({ method, body }, response) => {
        if (method !== "POST" || body === "" || nameOf(body) === "" || response.req.headers["content-type"] !== "text/plain") return false;
        send(response, 201, { id: 1, name: "a" });
        return true;
      },
    ],
    [
      "a method that is not declared and answered",
      "wrong_status of list",
      ({ method, path }, response) => {
        if (method !== "PATCH" || path !== "/things") return false;
        send(response, 200, {});
        return true;
      },
    ],
    [
      "an Allow header with a method that is not declared",
      "allow of list",
      ({ method, path }, response) => {
        if (method !== "PUT" || path !== "/things") return false;
        response.setHeader("allow", "GET, POST, DELETE");
        send(response, 405, { error: { code: "method_not_allowed", message: "no" } });
        return true;
      },
    ],
    [
      "a record that is still there after its deletion",
      "wrong_status of get",
      ({ method }, response) => {
        if (method !== "DELETE") return false;
        response.writeHead(204).end();
        return true;
      },
    ],
    [
      "a record that was created and is not there",
      "wrong_status of get",
      ({ method, path }, response) => {
        if (method !== "GET" || path === "/things/1000000" || !path.startsWith("/things/")) return false;
        send(response, 404, { error: { code: "not_found", message: "no" } });
        return true;
      },
    ],
    [
      "an answer without X-Request-Id",
      "request_id of list",
      ({ method, path }, response) => {
        if (method === "GET" && path === "/things") response.removeHeader("x-request-id");
        return false;
      },
    ],
    [
      "a request that is not answered",
      "unanswered of create",
      ({ method, body }, response) => {
        if (method !== "POST" || nameOf(body) !== "aaaaa") return false;
        response.destroy();
        return true;
      },
    ],
  ];
  for (const [what, finding, breaks] of cases) {
    it(`finds ${what}`, async () => {
      const findings = await found(breaks);
      assert.ok(findings.includes(finding), `${finding} is not in ${findings.join(", ")}`);
    });
  }
});
