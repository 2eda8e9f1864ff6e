import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight, Ellipsis } from "lucide-react";
import { memo } from "react";
import { withoutTag } from "../../../../src/contract/image-pattern.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { HostName } from "../../app/host-name.tsx";
import { ACT_WORDS, actsOf, type Act } from "../../entities/updates/act.ts";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Name } from "../../ui/name.tsx";
import { ChangelogLink, COLUMNS, Ratings, ROW, SHOWN, StepCells, type RowStyle } from "./update-cells.tsx";

interface Properties extends RowStyle {
  update: UpdateRecord;
  index: number;
  withHost: boolean;
  /** It stands below its image. */
  isInside: boolean;
  onAct: (act: Act, updates: readonly UpdateRecord[]) => void;
}

/** What one container runs and could run. It renders again only when its record is another one. */
export const UpdateRow = memo(function UpdateRow({ update, index, withHost, isInside, onAct, ...style }: Properties) {
  const { layout, byFixed } = style;
  return (
    <div role="row" aria-rowindex={index + 2} className={classNames(COLUMNS[layout], ROW, isInside ? "max-md:pl-9" : "max-md:pl-4")}>
      <div role="cell" className={classNames("flex min-w-0 items-baseline gap-2", isInside && "md:pl-5")}>
        <Link
          from="/updates"
          to="/updates"
          search={(search) => ({ ...search, show: update.container_id })}
          resetScroll={false}
          data-row={index}
          className="min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{update.container_name}</Name>
        </Link>
        {withHost && <HostName of={update} />}
      </div>
      <div role="cell" className={classNames("text-ink-2 max-md:hidden", SHOWN[layout].image)}>
        <ImageName image={withoutTag(update.image)} />
      </div>
      <StepCells update={update} {...style} />
      {layout === "rated" && <Ratings update={update} byFixed={byFixed} />}
      <div role="cell" className="relative z-1 flex justify-end max-md:hidden">
        <ChangelogLink update={update} name={update.container_name} />
        <Acts update={update} onAct={onAct} />
      </div>
      <ChevronRight size={16} aria-hidden className="absolute top-1/2 right-3 -translate-y-1/2 text-ink-3 md:hidden" />
    </div>
  );
});

function Acts({ update, onAct }: { update: UpdateRecord; onAct: Properties["onAct"] }) {
  const navigate = useNavigate({ from: "/updates" });
  const showExcluded = () => void navigate({ search: (search) => ({ ...search, view: "exclusions" }), resetScroll: false });
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${update.container_name}`} />}
      rows={[
        ...actsOf(update).map((act) => ({ key: act, label: ACT_WORDS[act], run: () => onAct(act, [update]) })),
        ...(update.status === "excluded" ? [{ key: "excluded", label: "Excluded images", run: showExcluded }] : []),
      ]}
    />
  );
}
