import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { confirmationMail, noticeMail } from "./email-templates.ts";
import { type IncidentNews, nextStep, type AnnouncedWork, type Work } from "./notice.ts";
import { type LinkState, linkState, type Token, wants } from "./subscriber.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000);

describe("a link", () => {
  const token = (changes: Partial<Token> = {}): Token => ({
    purpose: "confirm",
    subscriberId: 1,
    components: [],
    expiresAt: minutes(1),
    usedAt: null,
    ...changes,
  });
  const pending = { confirmedAt: null };
  const confirmed = { confirmedAt: NOW };
  const cases: [LinkState, Token["purpose"], Token | undefined, { confirmedAt: Date | null } | undefined][] = [
    ["unknown", "confirm", undefined, undefined],
    ["other", "confirm", token({ purpose: "unsubscribe" }), confirmed],
    ["other", "unsubscribe", token(), confirmed],
    ["valid", "confirm", token(), pending],
    ["valid", "confirm", token(), confirmed],
    ["expired", "confirm", token({ expiresAt: NOW }), pending],
    ["gone", "confirm", token(), undefined],
    ["done", "confirm", token({ usedAt: NOW }), confirmed],
    ["used", "confirm", token({ usedAt: NOW }), undefined],
    ["used", "confirm", token({ usedAt: NOW }), pending],
    ["valid", "unsubscribe", token({ purpose: "unsubscribe" }), confirmed],
    ["done", "unsubscribe", token({ purpose: "unsubscribe", usedAt: NOW }), undefined],
    ["expired", "unsubscribe", token({ purpose: "unsubscribe", expiresAt: NOW }), confirmed],
  ];
  for (const [state, purpose, given, subscriber] of cases) {
    it(`to ${purpose} is ${state}: ${JSON.stringify([given?.purpose, given?.usedAt, given?.expiresAt, subscriber?.confirmedAt])}`, () =>
      assert.equal(linkState(purpose, given, subscriber, NOW), state));
  }
});

describe("a subscriber", () => {
  it("gets mail about the chosen components, about all when none is chosen, and about what concerns none in particular", () => {
    assert.deepEqual(
      [wants([], [1]), wants([1, 2], [2, 3]), wants([1], [2]), wants([1], []), wants([], [])],
      [true, true, false, true, true],
    );
  });
});

describe("a maintenance window", () => {
  const work = (changes: Partial<Work> = {}): Work => ({
    id: 1,
    status: "scheduled",
    title: "New database",
    description: "",
    startsAt: minutes(60),
    endsAt: minutes(120),
    components: [1],
    updatedAt: minutes(-10),
    ...changes,
  });
  const announced = (changes: Partial<AnnouncedWork> = {}): AnnouncedWork => ({
    id: 1,
    status: "scheduled",
    title: "New database",
    startsAt: minutes(60),
    endsAt: minutes(120),
    components: [1],
    version: 4,
    ...changes,
  });
  const ended = { status: "ended", startsAt: minutes(-60), endsAt: minutes(-1) } as const;
  const longEnded = { ...ended, endsAt: minutes(-361) };
  const moved = { startsAt: minutes(70) };
  const cases: [what: string, announced: AnnouncedWork | undefined, work: Work | undefined, kind: string | null | undefined][] = [
    ["is new", undefined, work(), "maintenance_planned"],
    ["is new and runs", undefined, work({ status: "active" }), "maintenance_started"],
    ["is new and over", undefined, work(ended), undefined],
    ["was never there", undefined, undefined, undefined],
    ["stays as it is", announced(), work(), undefined],
    ["gets another title", announced(), work({ title: "x" }), undefined],
    ["was moved", announced(), work(moved), "maintenance_rescheduled"],
    ["is being moved", announced(), work({ ...moved, updatedAt: minutes(-0.5) }), undefined],
    ["begins", announced(), work({ status: "active" }), "maintenance_started"],
    ["passed while we were away", announced(), work(ended), "maintenance_ended"],
    ["passed long ago while we were away", announced(), work(longEnded), null],
    ["was cancelled", announced(), undefined, "maintenance_cancelled"],
    ["was deleted while it ran unseen", announced({ startsAt: minutes(-5) }), undefined, "maintenance_ended"],
    ["runs on", announced({ status: "active" }), work({ status: "active", endsAt: minutes(300) }), undefined],
    ["ends", announced({ status: "active" }), work(ended), "maintenance_ended"],
    ["is put off while it runs", announced({ status: "active" }), work(moved), "maintenance_rescheduled"],
    ["is deleted while it runs", announced({ status: "active", startsAt: minutes(-5) }), undefined, "maintenance_ended"],
    ["was deleted long ago", announced({ ...longEnded, status: "active" }), undefined, null],
    ["is over", announced(ended), work(ended), undefined],
    ["is over and deleted", announced(ended), undefined, undefined],
    ["is planned again", announced(ended), work(), "maintenance_rescheduled"],
    ["is extended after its end", announced(ended), work({ status: "active" }), "maintenance_started"],
  ];
  for (const [what, before, now, kind] of cases) {
    it(`that ${what} is announced as ${kind ?? "nothing"}`, () => {
      const step = nextStep(before, now, NOW);
      assert.equal(step?.kind, kind);
      if (step === undefined) return;
      assert.equal(step.next.version, (before?.version ?? 0) + 1);
      // Announced once.
      const again = now ?? undefined;
      assert.equal(nextStep(step.next, again, NOW), undefined);
    });
  }
});

describe("a email", () => {
  const emailHeader = { title: 'Shop "<&>"', pageUrl: "https://watch.example.com/status/" };
  const news: IncidentNews = {
    about: "incident",
    id: 1,
    kind: "incident_updated",
    title: `Pay\u202e ments ${"x".repeat(300)}`,
    severity: "critical",
    status: "identified",
    message: "Line one.\n\n<img src=x onerror=alert(1)>",
    components: Array.from({ length: 30 }, (_, index) => `Part <${index}>`),
    at: NOW.toISOString(),
  };

  it("has a short subject, names a bounded number of components, and no markup but its own", () => {
    const { subject, text, html } = noticeMail(emailHeader, news, "https://watch.example.com/status/unsubscribe?token=abc");
    assert.ok([...subject].length <= 150);
    assert.match(subject, /^\[Shop "<&>"\] Identified: Pay ments x+…$/);
    assert.match(text, /Affected: Part <0>, .*Part <19>, 10 more\n/);
    assert.match(text, /Severity: Critical\n/);
    assert.match(text, /Unsubscribe: https:\/\/watch\.example\.com\/status\/unsubscribe\?token=abc\n/);
    assert.doesNotMatch(html, /<img|<0>|Shop "<&/);
    assert.match(html, /Line one\.<br><br>&#60;img/);
    assert.match(html, /<a href="https:\/\/watch\.example\.com\/status\/unsubscribe\?token=abc"/);
  });

  it("is the same in plain text, with its footer apart as mail programs expect it", () => {
    const unsubscribeUrl = "https://watch.example.com/status/unsubscribe?token=abc";
    const { text } = noticeMail(emailHeader, { ...news, title: "Payments", message: "One.", components: ["Shop", "Bank"] }, unsubscribeUrl);
    assert.deepEqual(text.split("\n"), [
      "Identified: Payments",
      "",
      "One.",
      "",
      "Status: Identified",
      "Severity: Critical",
      "Affected: Shop, Bank",
      "Time: 1 March 2026, 12:00 UTC",
      "",
      "Open the status page: https://watch.example.com/status/",
      "",
      "-- ",
      'You receive this email because you subscribed to Shop "<&>".',
      `Unsubscribe: ${unsubscribeUrl}`,
      "",
    ]);
  });

  it("that asks for confirmation has no link to unsubscribe, and says what it is about", () => {
    const { text, html } = confirmationMail(emailHeader, { confirmUrl: "https://watch.example.com/c", chosen: [], isSubscribed: false });
    assert.doesNotMatch(text + html, /unsubscribe/i);
    assert.match(text, /subscribed to emails about incidents and maintenance from Shop/);
    assert.match(text, /https:\/\/watch\.example\.com\/c\n/);
    assert.match(text, /valid for 24 hours/);
  });
});
