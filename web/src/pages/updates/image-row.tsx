import { ChevronDown, Ellipsis } from "lucide-react";
import { withoutTag } from "../../../../src/contract/image-pattern.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { hostId } from "../../app/host-id.ts";
import { actsForAll, type Act } from "../../entities/updates/act.ts";
import { countOf } from "../../format/number.ts";
import type { Fold } from "../../lists/group-head.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Menu } from "../../ui/menu.tsx";
import type { ImageItem } from "./items.ts";
import { ChangelogLink, COLUMNS, Ratings, ROW, SHOWN, StepCells, type RowStyle } from "./update-cells.tsx";

interface Properties extends RowStyle {
  updates: ImageItem["updates"];
  index: number;
  fold: Fold | undefined;
  withHost: boolean;
  onAct: (act: Act, updates: readonly UpdateRecord[]) => void;
}

/** The containers of one image that could run the same: one row, which opens. */
export function ImageRow({ updates, index, fold, withHost, onAct, ...style }: Properties) {
  const { layout, byFixed } = style;
  const [first] = updates;
  const image = withoutTag(first.image);
  const count = countOf(updates.length, "container");
  const hosts = withHost ? new Set(updates.map(hostId)).size : 1;
  return (
    <div role="row" aria-rowindex={index + 2} className={classNames(COLUMNS[layout], ROW, "bg-bg max-md:pl-4")}>
      <div role="cell" className="flex min-w-0 items-baseline">
        <button
          type="button"
          aria-expanded={fold?.isFolded === false}
          data-row={index}
          onClick={fold?.toggle}
          className="flex min-w-0 items-baseline text-left font-[550] outline-none after:absolute after:inset-0"
        >
          <ChevronDown
            size={14}
            aria-hidden
            className={classNames("mr-1.5 -ml-0.5 shrink-0 self-center text-ink-3", fold?.isFolded !== false && "-rotate-90")}
          />
          <span className={classNames("mr-2 min-w-0", SHOWN[layout].noImage)}>
            <ImageName image={image} />
          </span>
          <span className="shrink-0 tabular-nums">{count}</span>
        </button>
        {hosts > 1 && <span className="ml-2 shrink-0 text-xs text-ink-2">{countOf(hosts, "host")}</span>}
      </div>
      <div role="cell" className={classNames("text-ink-2 max-md:hidden", SHOWN[layout].image)}>
        <ImageName image={image} />
      </div>
      <StepCells update={first} {...style} />
      {layout === "rated" && <Ratings update={riskiestOf(updates)} byFixed={byFixed} />}
      <div role="cell" className="relative z-1 flex justify-end max-md:hidden">
        <ChangelogLink update={first} name={image} />
        <Menu
          align="end"
          trigger={<IconButton icon={Ellipsis} label={`Actions for ${count} of ${image}`} />}
          rows={actsForAll(updates).map(({ act, label, updates: affected }) => ({ key: act, label, run: () => onAct(act, affected) }))}
        />
      </div>
    </div>
  );
}

/** The image is the same; how exposed it is differs. */
function riskiestOf([first, ...others]: ImageItem["updates"]): UpdateRecord {
  return others.reduce((worst, update) => ((update.risk_score ?? -1) > (worst.risk_score ?? -1) ? update : worst), first);
}
