import assert from "node:assert/strict";
import { it } from "node:test";
import { labelled, pulled, WEB, updateStory } from "../../../test/support/update-story.ts";
import { MOST_EXCLUSIONS } from "./decisions.ts";
import type { UpdateTables } from "./rows.ts";

updateStory((story) => {
  const { restart, ask, list, record, status, summary, pin, unpin, scan, published } = story;

  it("pins and unpins at once, and carries the pin over to the re-created container", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    story.memory.push(`${WEB}:2.0.0`, { content: "new" });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    const first = (await pin("web", "waits for the tests")) as { status: number; body: { tag: string } };
    assert.deepEqual([first.status, first.body.tag], [201, "1.0.0"]);
    const again = (await pin("web", "still")) as { status: number };
    assert.equal(again.status, 200);
    const pinned = await record("web");
    assert.deepEqual([pinned.status, pinned.status_reason, pinned.update_type, pinned.pinned_by], ["pinned", "still", "major", "person"]);
    assert.deepEqual([(await summary()).counts.pinned, (await summary()).counts.major], [1, 0]);
    assert.deepEqual(story.watched.updates.announce(), []);
    assert.deepEqual(published(), [
      "update.detected web available",
      "update.pinned web pinned",
      "update.changed web pinned",
      "update.pinned web pinned",
      "update.changed web pinned",
    ]);
    assert.equal(story.watched.published("update.changed").at(-1)?.alerting, false);
    assert.deepEqual(story.watched.updates.severitiesOf(story.watched.idOf("web")), []);

    await story.clock.advance(1000);
    await story.watched.show(pulled("web-2", "web:1.0.0", old, { name: "web" }));
    assert.equal(await status("web-2"), "pinned");
    await restart();
    assert.equal(await status("web-2"), "pinned");
    await unpin("web-2");
    assert.deepEqual(published(), ["update.unpinned web available", "update.changed web available"]);
    assert.equal(story.watched.published("update.changed")[0]?.alerting, true);
    await assert.rejects(unpin("web-2"), /not pinned/);
    assert.equal(story.watched.published("update.detected").length, 0);
  });

  it("leaves out what people exclude, and takes it back", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    story.memory.push(`${WEB}:2.0.0`, { content: "new" });
    await story.watched.show(pulled("web", "web:1.0.0", old), pulled("off", "web:1.0.0", old, labelled({ enabled: false })));
    await scan();
    assert.match((await record("off")).status_reason ?? "", /service\.update\.enabled/);
    const { body } = (await ask("POST", "/exclusions", { body: { image: "docker.io/library/w*" } })) as {
      body: { id: number; matches: number };
    };
    assert.equal(body.matches, 2);
    const excluded = await record("web");
    assert.deepEqual([excluded.status, excluded.update_type], ["excluded", null]);
    assert.deepEqual(story.watched.updates.announce(), []);
    await assert.rejects(ask("POST", "/exclusions", { body: { image: "docker.io/library/w*" } }), /excluded already/);
    story.memory.requests.length = 0;
    await scan();
    assert.deepEqual(story.memory.requests, []);
    await restart();
    assert.equal(await status("web"), "excluded");
    await ask("DELETE", "/exclusions/{id}", { params: { id: body.id } });
    assert.equal(await status("web"), "available");
    await assert.rejects(ask("DELETE", "/exclusions/{id}", { params: { id: body.id } }), /no exclusion/);
  });

  it("raises no alert where a label says so", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    story.memory.push(`${WEB}:1.0.1`, { content: "new" });
    await story.watched.show(
      pulled("quiet", "web:1.0.0", old, labelled({ alertOn: "none" })),
      pulled("held", "web:1.0.0", old, labelled({ pin: "1.0.0" })),
    );
    await scan();
    assert.deepEqual(
      story.watched.published("update.detected").map(({ name, alerting }) => [name, alerting]),
      [["quiet", false]],
    );
    const held = await record("held");
    assert.deepEqual([held.status, held.pinned_by], ["pinned", "label"]);
    assert.match(held.status_reason ?? "", /service\.update\.pin/);
    assert.deepEqual(story.watched.updates.announce(), []);
    // Removed: its row goes, and its alert is over.
    await story.clock.advance(1000);
    await story.watched.show(pulled("held", "web:1.0.0", old, labelled({ pin: "1.0.0" })));
    await story.clock.advance(600_000);
    await story.watched.show(pulled("held", "web:1.0.0", old, labelled({ pin: "1.0.0" })));
    assert.equal((await list()).length, 1);
    assert.deepEqual(
      story.watched
        .published("update.changed")
        .slice(-1)
        .map(({ name, status: is, alerting }) => [name, is, alerting]),
      [["quiet", "unknown", false]],
    );
  });

  it("bounds the exclusions", async () => {
    const rows = Array.from({ length: MOST_EXCLUSIONS }, (_, index) => ({ image: `none${index}`, created_at: 1 }));
    await story.database.tables<UpdateTables>().write((tx) => tx.insertInto("update_exclusions").values(rows).execute());
    await restart();
    await assert.rejects(ask("POST", "/exclusions", { body: { image: "more" } }), /1000 exclusions already/);
  });
});
