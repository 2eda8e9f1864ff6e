import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { joinWords } from "../../../../src/contract/words.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { asSentence } from "../../format/sentence.ts";
import { Age } from "../../ui/age.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Summary } from "../../ui/summary.tsx";
import { ACT_WORDS, actsOf } from "./act.ts";
import { Changelog } from "./changelog.tsx";
import { Commands } from "./commands.tsx";
import { Comparison } from "./comparison.tsx";
import { EditionGate } from "./gate.tsx";
import { KindMark } from "./kind-mark.tsx";
import { Risk } from "./risk.tsx";
import { Step } from "./step.tsx";
import { UpdateFacts } from "./update-facts.tsx";
import { useActs } from "./use-acts.tsx";
import { useInsightGrants } from "./use-grants.ts";
import { Vulnerabilities } from "./vulnerabilities.tsx";
import { TYPE_WORDS, upToDateWords, webAddress } from "./words.ts";

const LABELS = `labels:
  service.update.track: minor        # major, minor, patch or digest
  service.update.pin: "1.25"         # stays at this tag
  service.update.tag-exclude: "-rc"  # tags that do not count
  service.update.alert_on: critical  # all, critical or none
  service.update.enabled: "false"    # not asked about at all`;

/** All that is known of what a container runs and could run. */
export function UpdateDetails({ update }: { update: UpdateRecord }) {
  const { comparison } = update;
  const isWorse = comparison?.verdict === "worse";
  const grants = useInsightGrants();
  // What the edition shows stands amid the rest: it would move what is below.
  if (grants.isAsked) {
    return (
      <div className="mt-6">
        <SkeletonRows count={8} label="Loading details" />
      </div>
    );
  }
  return (
    <>
      <Standing update={update} />
      {comparison !== null && isWorse && <Comparison comparison={comparison} />}
      <Commands update={update} />
      <Insights update={update} grants={grants} />
      {comparison !== null && !isWorse && <Comparison comparison={comparison} />}
      <UpdateFacts update={update} />
      <details className="mt-6">
        <Summary>Labels that control updates</Summary>
        <div className="mt-2">
          <CommandLine command={LABELS} />
        </div>
      </details>
    </>
  );
}

/** What it runs, what it could run, and why there is no alert; with what can be done about that. */
function Standing({ update }: { update: UpdateRecord }) {
  const { update_type, status, published_at, detected_at, check_error, changelog_url } = update;
  const { act, isUnpinning, fault, dialog } = useActs();
  const address = webAddress(changelog_url);
  return (
    <div className="pt-4">
      <div className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-1 text-lg">
        <Step update={update} className="max-w-full" />
        {update_type !== null && <KindMark type={update_type} className="text-base" />}
      </div>
      <p className="mt-1 text-ink-2">
        {update_type !== null && `${TYPE_WORDS[update_type].means}. `}
        {published_at !== null && update_type !== null && (
          <>
            Built <Age at={published_at} form="ago" />.{" "}
          </>
        )}
        {published_at === null && detected_at !== null && update_type !== null && (
          <>
            Seen here <Age at={detected_at} form="ago" />.{" "}
          </>
        )}
        <StatusSentence update={update} />
      </p>
      {check_error !== null && (
        <p className="mt-2 flex items-baseline gap-2">
          <StatusIcon status="degraded" size={10} />
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {status === "unknown" ? "" : "Last check failed: "}
            {asSentence(check_error)}
          </span>
        </p>
      )}
      {fault}
      <div className="mt-3 flex flex-wrap gap-2">
        {actsOf(update).map((each) => (
          <Button key={each} disabled={each === "unpin" && isUnpinning} onClick={() => act(each, [update])}>
            {each === "unpin" && isUnpinning ? "Unpinning" : ACT_WORDS[each]}
          </Button>
        ))}
        {status === "excluded" && (
          <Link to="/updates" search={{ view: "exclusions" }} className={buttonClass()}>
            Excluded images
          </Link>
        )}
        {address !== undefined && (
          <a href={address} target="_blank" rel="noreferrer" className={buttonClass("quiet")}>
            Changelog <ExternalLink size={13} aria-hidden />
            <span className="sr-only">in a new window</span>
          </a>
        )}
      </div>
      {dialog}
    </div>
  );
}

function StatusSentence({
  update: { status, status_reason, pinned_by, update_type, checked_at, check_error },
}: {
  update: UpdateRecord;
}): ReactNode {
  const why = asSentence(status_reason ?? "");
  switch (status) {
    case "available":
      return why !== "" && <bdi>{why}</bdi>;
    case "up_to_date":
      return <bdi>{upToDateWords(status_reason)}</bdi>;
    case "pinned":
      return (
        <>
          <span className="font-[550] text-ink">Pinned{pinned_by === "person" && why !== "" ? ":" : "."}</span> <bdi>{why}</bdi>{" "}
          {update_type !== null && "No alerts are sent for available updates."}
        </>
      );
    case "excluded":
      return (
        <>
          <bdi>{why || "Excluded."}</bdi> It is not checked and no alerts are sent.
        </>
      );
    case "unknown":
      if (why !== "") return <bdi>{why}</bdi>;
      return checked_at === null && check_error === null ? "Not checked yet." : "Available updates are unknown.";
  }
}

/** What only some editions have; where the one in force does not, it says so in one place. */
function Insights({
  update,
  grants: { risk, cves, changelog, edition },
}: {
  update: UpdateRecord;
  grants: ReturnType<typeof useInsightGrants>;
}) {
  const missing = [
    risk ? "" : "the risk score with its breakdown",
    cves ? "" : "known vulnerabilities and which the update fixes",
    changelog ? "" : "release notes between both versions",
  ].filter((part) => part !== "");
  return (
    <>
      {risk && <Risk update={update} />}
      {cves && <Vulnerabilities update={update} />}
      {changelog && <Changelog update={update} />}
      {missing.length > 0 && (
        <EditionGate edition={edition} what="Update details">
          {joinWords(missing)}. Available updates and commands are part of every edition.
        </EditionGate>
      )}
    </>
  );
}
