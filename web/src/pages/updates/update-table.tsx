import type { UpdateStatus } from "../../../../src/events.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { ROWS_CLASS } from "../../lists/row-class.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatCount } from "../../format/number.ts";
import type { Act } from "../../entities/updates/act.ts";
import { groupsOf } from "./groups.ts";
import { COLUMNS, SHOWN, UpdateRow, type Layout } from "./update-row.tsx";
import { STATUS_WORDS } from "../../entities/updates/words.ts";

interface Properties {
  updates: readonly UpdateRecord[];
  layout: Layout;
  withHost: boolean;
  /** There are more than these: how many the last group has is not known. */
  isCut: boolean;
  onAct: (act: Act, update: UpdateRecord) => void;
}

/** The list: what can be updated first, then what was left out on purpose, what is not known, and what is well. */
export function UpdateTable({ updates, layout, withHost, isCut, onAct }: Properties) {
  const groups = groupsOf(updates);

  useRowKeys();

  return (
    <div role="table" aria-label="Updates" className={ROWS_CLASS}>
      <div role="rowgroup" className="sticky top-13 z-10 bg-bg max-md:sr-only">
        <div role="row" className={classNames(COLUMNS[layout], "h-8 px-2.5 text-xs font-medium text-ink-3")}>
          <span role="columnheader">Container</span>
          <span role="columnheader" className={classNames("max-md:hidden", SHOWN[layout].image)}>
            Image
          </span>
          <span role="columnheader">Current, available</span>
          <span role="columnheader">Kind</span>
          <span
            role="columnheader"
            title="Since the newer image was built, or first seen"
            className={classNames("max-md:hidden", SHOWN[layout].age)}
          >
            Age
          </span>
          {layout === "rated" && (
            <>
              <span role="columnheader" title="Risk of the current version, 0 to 100. Breakdown in the details" className="max-lg:hidden">
                Risk
              </span>
              <span role="columnheader" title="Known vulnerabilities of the current image" className="max-lg:hidden">
                Vulnerabilities
              </span>
            </>
          )}
          <span role="columnheader">
            <span className="sr-only">Links and actions</span>
          </span>
        </div>
      </div>
      {groups.map(({ status, start, updates: rows }, group) => (
        <div key={status} role="rowgroup" aria-label={STATUS_WORDS[status].word}>
          <GroupHead status={status} count={isCut && group === groups.length - 1 ? undefined : rows.length} />
          {rows.map((update, index) => (
            <UpdateRow key={update.container_id} update={update} index={start + index} layout={layout} withHost={withHost} onAct={onAct} />
          ))}
        </div>
      ))}
    </div>
  );
}

function GroupHead({ status, count }: { status: UpdateStatus; count: number | undefined }) {
  const { word, means } = STATUS_WORDS[status];
  return (
    <div role="row" className="flex h-9 items-end border-t border-line bg-bg pb-1.5 text-xs max-md:-mx-4 max-md:px-4 md:px-2.5">
      <span role="rowheader" className="truncate text-ink-2">
        <span className="font-semibold text-ink">{word}</span>
        {count !== undefined && <span className="tabular-nums"> {formatCount(count)}</span>}
        {means !== "" && <span className="text-ink-3 max-sm:hidden"> · {means}</span>}
      </span>
    </div>
  );
}
