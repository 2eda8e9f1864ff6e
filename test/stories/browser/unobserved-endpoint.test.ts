import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { HOUR_MS } from "../../../src/contract/time.ts";
import type { EndpointRecord } from "../../../src/monitoring/endpoints/answers.ts";
import { looks } from "../../support/looks.ts";
import { startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("an endpoint that its host cannot look at, in the browser", () => {
  let story: WebStory;
  /** Ends the program, changes its database, and starts it again. */
  let restart: (change: (database: DatabaseSync) => void) => Promise<void>;

  before(async () => {
    story = await startWebStory({
      async start(variables) {
        const env = { ...variables, SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
        let program = await startProgram({ env });
        restart = async (change) => {
          await program.stop();
          const database = new DatabaseSync(join(program.dataDir, "binnacle.db"));
          change(database);
          database.close();
          program = await startProgram({ env, dataDir: program.dataDir, port: program.port });
        };
        return { url: program.url, stop: () => program.stop() };
      },
    });
  });
  after(() => story?.stop());

  it("is not called up or healthy", async () => {
    // Where the program itself listens is never asked: such a check is not observed either.
    const made = await story.send<EndpointRecord>("POST", "endpoints", { type: "http", name: "shop", target: `${story.url}/` });
    const record = (): Promise<EndpointRecord> => story.send("GET", `endpoints/${made.id}`);
    await until(async () => ((await record()).last_check_at !== null ? true : undefined));
    assert.equal((await record()).last_observed_at, null);
    await restart((database) => {
      const longAgo = Date.now() - 6 * HOUR_MS;
      database
        .prepare("UPDATE endpoints SET status = 'up', status_since = ?, last_check_at = ?, last_observed_at = ?")
        .run(longAgo, longAgo, longAgo);
    });
    await until(async () => (Date.parse((await record()).last_check_at ?? "") > Date.now() - HOUR_MS ? true : undefined));

    const { page, complaints } = await story.open("/");
    await page.getByText("Not seen: 1 endpoint.").waitFor();
    await page.getByText(/^Last known: Up · /).waitFor();
    await page.goto(`${story.url}/endpoints`);
    await page.getByText(/^Last known: Up · .*is not asked/).waitFor();
    assert.deepEqual(await looks(page, "endpoints"), []);
    await page.goto(`${story.url}/endpoints/${made.id}`);
    await page.getByText("Last known: Up", { exact: true }).waitFor();
    await page.getByText(/^Not seen for 6 h: .*is not asked/).waitFor();
    assert.deepEqual(await looks(page, "the endpoint"), []);
    await page.goto(`${story.url}/wall`);
    await page.getByRole("link", { name: /Last known: Up/ }).waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});
