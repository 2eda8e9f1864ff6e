import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { createMailStore } from "./mail-store.ts";
import type { SubscriberTables } from "./rows.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

onBothDatabases(({ create }) => {
  it("deletes old notices that are behind hundreds from a clock that was ahead", async () => {
    const database = await create();
    const { read, write } = database.tables<SubscriberTables>();
    const daysLater = [...Array.from({ length: 500 }, () => 400), -400, -1];
    const rows = daysLater.map((days, index) => ({
      ...{ notice_key: `incident:${index}:1`, body: "{}", components: "", last_subscriber_id: 0 },
      created_at: NOW.getTime() + days * DAY_MS,
      sent_at: NOW.getTime() + days * DAY_MS,
    }));
    await write((tx) => tx.insertInto("status_notices").values(rows).execute());
    const store = createMailStore(database);
    while (await store.prune(NOW));
    const left = await read.selectFrom("status_notices").select("created_at").execute();
    assert.deepEqual(
      left.map(({ created_at }) => Number(created_at)),
      [NOW.getTime() - DAY_MS],
    );
  });
});
