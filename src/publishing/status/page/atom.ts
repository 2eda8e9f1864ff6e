import { createHash } from "node:crypto";
import type { PageAddress } from "../settings/index.ts";
import { type Names, namesOf, type Projection, type PublicIncident } from "./projection.ts";
import { INCIDENT_WORDS, SEVERITY_WORDS, timeWords } from "./words.ts";

export interface FeedOptions {
  /** A UUID that never changes. */
  feedId: string;
  address: PageAddress;
  incidents: readonly PublicIncident[];
  /** When there is no incident. */
  updatedAt: Date;
}

/** Incidents for feed readers, one entry each, updated by its updates. Source: RFC 4287. */
export function renderFeed(projection: Projection, { feedId, address, incidents, updatedAt }: FeedOptions): string {
  const names = namesOf(projection);
  const latest = incidents.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  const base = `${address.origin}/status`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>urn:uuid:${feedId}</id>
<title>${escapeXml(projection.title)}</title>
<subtitle>Incidents and their updates</subtitle>
<updated>${(latest[0]?.updatedAt ?? updatedAt).toISOString()}</updated>
<author><name>${escapeXml(projection.title)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${base}/feed.atom`)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(address.page)}"/>
<generator>Binnacle</generator>
${latest.map((incident) => entry(incident, { feedId, base, names })).join("")}</feed>
`;
}

function entry(incident: PublicIncident, { feedId, base, names }: { feedId: string; base: string; names: Names }): string {
  const affected = incident.components.flatMap((id) => names.get(id) ?? []);
  return `<entry>
<id>urn:uuid:${entryId(feedId, incident.id)}</id>
<title>${escapeXml(incident.title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(`${base}/incidents/${incident.id}`)}"/>
<published>${incident.createdAt.toISOString()}</published>
<updated>${incident.updatedAt.toISOString()}</updated>
<category term="${incident.severity}" label="${SEVERITY_WORDS[incident.severity]} incident"/>
<category term="${incident.status}" label="${INCIDENT_WORDS[incident.status]}"/>
<content type="html">${escapeXml(contentHtml(incident, affected))}</content>
</entry>
`;
}

/** The timeline, the latest first. */
function contentHtml(incident: PublicIncident, affected: readonly string[]): string {
  const about = affected.length === 0 ? "" : `<p>Affected: ${affected.map(escapeXml).join(", ")}</p>`;
  const updates = incident.updates
    .toReversed()
    .map(
      ({ at, status, message }) =>
        `<p><b>${INCIDENT_WORDS[status]}</b>, ${timeWords(at)}<br/>${escapeXml(message).replaceAll("\n", "<br/>")}</p>`,
    );
  return about + updates.join("");
}

/** The same for the same incident of the same page for ever, whatever its address or title become. Source: RFC 9562, version 8. */
function entryId(feedId: string, incidentId: number): string {
  const hex = createHash("sha256").update(`${feedId} incident ${incidentId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What XML 1.0 cannot hold is left out; everything that means something to it is written as a reference. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// oxlint-disable-next-line no-control-regex -- these are the characters to find
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
