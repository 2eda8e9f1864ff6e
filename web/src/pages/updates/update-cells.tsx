import { ScrollText } from "lucide-react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { KindMark } from "../../entities/updates/kind-mark.tsx";
import { Step } from "../../entities/updates/step.tsx";
import { cveWords, fixWords, riskWords, STATUS_WORDS, webAddress } from "../../entities/updates/words.ts";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { iconButtonClass } from "../../ui/icon-button.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";

const BASE = "grid items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_88px_68px]";
/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS = {
  plain: `${BASE} lg:grid-cols-[minmax(0,1.1fr)_minmax(0,0.9fr)_minmax(0,1.3fr)_88px_72px_68px]`,
  rated: `${BASE} lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_88px_84px_152px_68px] xl:grid-cols-[minmax(0,1.15fr)_minmax(0,0.85fr)_minmax(0,1.25fr)_88px_72px_84px_152px_68px]`,
} as const;
/** Where the columns stand that come and go; `noImage`: what is only read out where there is a column of images. */
export const SHOWN = {
  plain: { image: "max-lg:hidden", age: "max-lg:hidden", noImage: "lg:sr-only" },
  rated: { image: "max-xl:hidden", age: "max-xl:hidden", noImage: "xl:sr-only" },
} as const;

/** Where nothing is available, why stands in the place of kind and age too. */
const QUIET_SPAN = { plain: "md:col-span-2 lg:col-span-3", rated: "md:col-span-2 xl:col-span-3" } as const;

export const ROW =
  "relative h-full grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:pr-9 hover:bg-hover has-[[data-row]:focus-visible]:outline-2 has-[[data-row]:focus-visible]:-outline-offset-2 has-[[data-row]:focus-visible]:outline-accent md:px-2.5";

export type Layout = keyof typeof COLUMNS;

/** How the rows of a list are shown. */
export interface RowStyle {
  layout: Layout;
  /** No head says their status. */
  withStatus: boolean;
  /** The list is sorted by what updates fix. */
  byFixed: boolean;
}

/** What runs and what could run, of which kind that is, and since when it is there. */
export function StepCells({ update, layout, withStatus }: { update: UpdateRecord } & RowStyle) {
  const { current_tag, update_type, published_at, detected_at, check_error, status, status_reason } = update;
  const since = published_at ?? detected_at;
  if (update_type === null) {
    const why = check_error ?? status_reason ?? (status === "unknown" ? "Not checked yet" : null);
    return (
      <div role="cell" className={classNames("flex min-w-0 gap-3 max-md:col-span-2 max-md:text-sm", QUIET_SPAN[layout])}>
        {(status !== "unknown" || current_tag !== null) && <Step update={update} className="max-w-1/2 shrink-0" />}
        <StatusName status={status} isShown={withStatus && why === null} />
        <span dir="auto" title={why ?? undefined} className="min-w-0 truncate text-ink-2">
          {why}
        </span>
      </div>
    );
  }
  return (
    <>
      <div role="cell" className="flex min-w-0 items-center gap-2 max-md:order-3 max-md:text-sm">
        <Step update={update} />
        <StatusName status={status} isShown={withStatus && status !== "available"} />
        {check_error !== null && (
          <span title={`Last check failed: ${check_error}`} className="flex shrink-0">
            <StatusIcon status="degraded" size={10} />
            <span className="sr-only">last check failed: {check_error}</span>
          </span>
        )}
      </div>
      <div role="cell">
        <KindMark type={update_type} className="max-md:justify-end" />
      </div>
      <div role="cell" className={classNames("text-ink-2 max-md:hidden", SHOWN[layout].age)}>
        {since !== null && <Age at={since} />}
      </div>
    </>
  );
}

function StatusName({ status, isShown }: { status: UpdateRecord["status"]; isShown: boolean }) {
  return <span className={isShown ? "shrink-0 text-ink-2" : "sr-only"}>{STATUS_WORDS[status].word}</span>;
}

export function Ratings({ update, byFixed }: { update: UpdateRecord; byFixed: boolean }) {
  const { update_type, cves } = update;
  const risk = riskWords(update);
  const words = cves === null ? undefined : byFixed ? fixWords(cves) : cveWords(cves);
  return (
    <>
      <div role="cell" className={classNames("max-lg:hidden", update_type !== null && "max-md:order-4 max-md:block max-md:text-sm")}>
        {risk !== undefined && (
          <span title={`Risk ${risk.score}`} className="flex items-center gap-2 max-md:justify-end">
            <LevelMark level={risk.level} />
            <span>
              {risk.word}
              {risk.isOpen && <span aria-hidden>+</span>}
              {risk.isOpen && <span className="sr-only"> or higher</span>}
            </span>
          </span>
        )}
      </div>
      <div role="cell" className="min-w-0 max-lg:hidden">
        {words !== undefined && (
          <span className="flex min-w-0 items-center gap-2 tabular-nums">
            <LevelMark level={words.level} />
            <span title={words.text} className={classNames("truncate", words.level < 3 ? "text-ink-2" : "")}>
              {words.text}
            </span>
          </span>
        )}
      </div>
    </>
  );
}

export function ChangelogLink({ update: { changelog_url, source_url, update_type }, name }: { update: UpdateRecord; name: string }) {
  const address = webAddress(changelog_url) ?? webAddress(source_url);
  if (address === undefined || update_type === null) return null;
  const label = webAddress(changelog_url) === undefined ? "Source" : "Changelog";
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      title={label}
      aria-label={`${label} of ${name}, in a new window`}
      className={iconButtonClass()}
    >
      <ScrollText size={16} strokeWidth={1.75} aria-hidden />
    </a>
  );
}
