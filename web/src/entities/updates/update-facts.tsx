import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { Age } from "../../ui/age.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { webAddress } from "./words.ts";

/** Where an image comes from, and which contents are meant. */
export function UpdateFacts({ update }: { update: UpdateRecord }) {
  const { image, registry, current_digest, available_digest, published_at, detected_at, checked_at, source_url } = update;
  const source = webAddress(source_url);
  return (
    <Section title="Facts">
      <Facts>
        <Fact name="Image">
          <bdi>{image}</bdi>
        </Fact>
        {registry !== null && <Fact name="Registry">{registry}</Fact>}
        {current_digest !== null && (
          <Fact name="Current">
            <Digest digest={current_digest} />
          </Fact>
        )}
        {available_digest !== null && update.update_type !== null && (
          <Fact name="Available">
            <Digest digest={available_digest} />
          </Fact>
        )}
        {published_at !== null && (
          <Fact name="Built">
            <Timestamp at={published_at} precision="minute" />, according to the image
          </Fact>
        )}
        {detected_at !== null && (
          <Fact name="First seen">
            <Timestamp at={detected_at} precision="minute" />
          </Fact>
        )}
        <Fact name="Last checked">{checked_at === null ? "never" : <Age at={checked_at} form="ago" />}</Fact>
        {source !== undefined && (
          <Fact name="Source">
            <a href={source} target="_blank" rel="noreferrer" className="underline decoration-line-strong underline-offset-2">
              {source}
            </a>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function Digest({ digest }: { digest: string }) {
  return (
    <span className="flex items-center gap-1">
      <code title={digest} className="min-w-0 truncate font-mono text-xs">
        {digest}
      </code>
      <span className="-my-2 flex">
        <CopyButton text={digest} label="Copy digest" />
      </span>
    </span>
  );
}
