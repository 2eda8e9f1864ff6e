import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight, Ellipsis, ScrollText } from "lucide-react";
import { memo } from "react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { HostName } from "../../app/host-name.tsx";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton, iconButtonClass } from "../../ui/icon-button.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Name } from "../../ui/name.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { ACT_WORDS, actsOf, type Act } from "../../entities/updates/act.ts";
import { withoutTag } from "../../../../src/contract/image-pattern.ts";
import { KindMark } from "../../entities/updates/kind-mark.tsx";
import { Step } from "../../entities/updates/step.tsx";
import { cveWords, riskWords, webAddress } from "../../entities/updates/words.ts";

const BASE = "grid items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_88px_68px]";
/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS = {
  plain: `${BASE} lg:grid-cols-[minmax(0,1.1fr)_minmax(0,0.9fr)_minmax(0,1.3fr)_88px_72px_68px]`,
  rated: `${BASE} lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_88px_84px_152px_68px] xl:grid-cols-[minmax(0,1.15fr)_minmax(0,0.85fr)_minmax(0,1.25fr)_88px_72px_84px_152px_68px]`,
} as const;
/** Where the columns stand that come and go. */
export const SHOWN = { plain: { image: "max-lg:hidden", age: "max-lg:hidden" }, rated: { image: "max-xl:hidden", age: "max-xl:hidden" } };

/** Where nothing is available, why stands in the place of kind and age too. */
const QUIET_SPAN = { plain: "md:col-span-2 lg:col-span-3", rated: "md:col-span-2 xl:col-span-3" } as const;

export type Layout = keyof typeof COLUMNS;

interface Properties {
  update: UpdateRecord;
  index: number;
  layout: Layout;
  withHost: boolean;
  onAct: (act: Act, update: UpdateRecord) => void;
}

/** What one container runs and could run. It renders again only when its record is another one. */
export const UpdateRow = memo(function UpdateRow({ update, index, layout, withHost, onAct }: Properties) {
  const { container_name, image, current_tag, update_type, published_at, detected_at, check_error, status, status_reason } = update;
  const since = published_at ?? detected_at;
  const why = check_error ?? status_reason ?? (status === "unknown" ? "Not checked yet" : null);
  return (
    <div
      role="row"
      className={classNames(
        COLUMNS[layout],
        "relative h-(--row-narrow) grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:pr-9 max-md:pl-4 hover:bg-hover has-[a[data-row]:focus-visible]:outline-2 has-[a[data-row]:focus-visible]:-outline-offset-2 has-[a[data-row]:focus-visible]:outline-accent md:h-(--row) md:px-2.5",
      )}
    >
      <div role="cell" className="flex min-w-0 items-baseline gap-2">
        <Link
          from="/updates"
          to="/updates"
          search={(search) => ({ ...search, show: update.container_id })}
          resetScroll={false}
          data-row={index}
          className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{container_name}</Name>
        </Link>
        {withHost && <HostName of={update} />}
      </div>
      <div role="cell" className={classNames("text-ink-2 max-md:hidden", SHOWN[layout].image)}>
        <ImageName image={withoutTag(image)} />
      </div>
      {update_type === null ? (
        <div role="cell" className={classNames("flex min-w-0 gap-3 max-md:col-span-2 max-md:text-sm", QUIET_SPAN[layout])}>
          {(status !== "unknown" || current_tag !== null) && <Step update={update} className="shrink-0 max-w-1/2" />}
          <span dir="auto" title={why ?? undefined} className="min-w-0 truncate text-ink-2">
            {why}
          </span>
        </div>
      ) : (
        <>
          <div role="cell" className="flex min-w-0 items-center gap-2 max-md:order-3 max-md:text-sm">
            <Step update={update} />
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
      )}
      {layout === "rated" && <Ratings update={update} />}
      <div role="cell" className="relative z-1 flex justify-end max-md:hidden">
        <ChangelogLink update={update} />
        <Acts update={update} onAct={onAct} />
      </div>
      <ChevronRight size={16} aria-hidden className="absolute top-1/2 right-3 -translate-y-1/2 text-ink-3 md:hidden" />
    </div>
  );
});

function Ratings({ update }: { update: UpdateRecord }) {
  const { update_type, cves } = update;
  const risk = riskWords(update);
  const words = cves === null ? undefined : cveWords(cves);
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

function ChangelogLink({ update: { changelog_url, source_url, container_name, update_type } }: { update: UpdateRecord }) {
  const address = webAddress(changelog_url) ?? webAddress(source_url);
  if (address === undefined || update_type === null) return null;
  const label = webAddress(changelog_url) === undefined ? "Source" : "Changelog";
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      title={label}
      aria-label={`${label} of ${container_name}, in a new window`}
      className={iconButtonClass()}
    >
      <ScrollText size={16} strokeWidth={1.75} aria-hidden />
    </a>
  );
}

function Acts({ update, onAct }: { update: UpdateRecord; onAct: Properties["onAct"] }) {
  const navigate = useNavigate({ from: "/updates" });
  const showExcluded = () => void navigate({ search: (search) => ({ ...search, view: "exclusions" }), resetScroll: false });
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${update.container_name}`} />}
      rows={[
        ...actsOf(update).map((act) => ({ key: act, label: ACT_WORDS[act], run: () => onAct(act, update) })),
        ...(update.status === "excluded" ? [{ key: "excluded", label: "Excluded images", run: showExcluded }] : []),
      ]}
    />
  );
}
