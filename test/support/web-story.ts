import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { openPage, startBrowser } from "./browser.ts";
import { startProgram } from "./program.ts";

/** What answers under an address. */
export interface Served {
  url: string;
  stop(): Promise<unknown>;
}

/** A server without containers, with every feature granted, and a browser: what a story of the web app needs. */
export interface WebStory extends Served {
  /** Asks the API, in JSON. */
  send<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** Pings a heartbeat, as a job does. */
  ping(uuid: string, suffix?: string): Promise<void>;
  /** Nothing moves on the page, so that nothing has to be waited for. */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }>;
}

export interface WebStoryOptions {
  env?: Readonly<Record<string, string>>;
  /** What runs; otherwise the built program, whose alerts wait for half a minute, since it reaches no engine. */
  start?: (env: Readonly<Record<string, string>>) => Promise<Served>;
}

export async function startWebStory({ env = {}, start = startBuilt }: WebStoryOptions = {}): Promise<WebStory> {
  const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 });
  const [server, browser] = await Promise.all([
    start({
      SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true",
      SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
      SERVICE_LICENSE_KEY: licence,
      ...env,
    }),
    startBrowser(),
  ]);
  let clients = 0;

  /** Each request comes from another address, so that the limits stay on and do not matter. */
  async function ask(method: string, path: string, init: RequestInit = {}): Promise<string> {
    clients += 1;
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-for", `10.0.${clients >> 8}.${clients % 256}`);
    const answer = await fetch(server.url + path, { ...init, method, headers });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text;
  }

  return {
    url: server.url,
    async send<Answer>(method: string, path: string, body?: object) {
      const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const text = await ask(method, `/api/v1/${path}`, init);
      // What the story asks for is what the route answers.
      return (text === "" ? {} : JSON.parse(text)) as Answer;
    },
    async ping(uuid, suffix = "") {
      await ask("POST", `/ping/${uuid}${suffix}`);
    },
    async open(path, options = {}) {
      const opened = await openPage(browser, { reducedMotion: "reduce", ...options });
      await opened.page.goto(server.url + path);
      return opened;
    },
    async stop() {
      await browser.close();
      await server.stop();
    },
  };
}

function startBuilt(env: Readonly<Record<string, string>>): Promise<Served> {
  return startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", ...env } });
}
