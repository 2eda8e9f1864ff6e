import { Pencil, Trash2 } from "lucide-react";
import { useMemo, useRef, type CSSProperties } from "react";
import type { ComponentRecord, GroupRecord } from "../../../../../src/publishing/status/components/answers.ts";
import { countOf } from "../../../format/number.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { arrangementOf, type Arrangement, type Piece } from "../arrangement.ts";
import { ComponentRow } from "./component-row.tsx";
import { Handle, HANDLE_HELP } from "./handle.tsx";
import { useKeyLift } from "./use-key-lift.ts";
import { usePointerDrag } from "./use-pointer-drag.ts";

interface Properties {
  groups: readonly GroupRecord[];
  components: readonly ComponentRecord[];
  onOrder: (arrangement: Arrangement) => void;
  onEdit: (piece: Piece) => void;
  onDelete: (piece: Piece) => void;
}

/** Groups and components in the order of the page; a handle moves each, by pointer or by keys. */
export function Board({ groups, components, onOrder, onEdit, onDelete }: Properties) {
  const node = useRef<HTMLDivElement>(null);
  const byId = useMemo(() => new Map(components.map((component) => [component.id, component])), [components]);
  const groupsById = useMemo(() => new Map(groups.map((group) => [group.id, group])), [groups]);
  const arrangement = useMemo(() => arrangementOf(groups, components), [groups, components]);
  const groupName = (id: number): string => groupsById.get(id)?.name ?? `group ${id}`;
  const pieceName = ({ kind, id }: Piece): string => (kind === "group" ? groupName(id) : (byId.get(id)?.name ?? `component ${id}`));
  const keys = useKeyLift({ arrangement, pieceName, groupName, onOrder });
  const { dragged, isDragEnd, handleProps } = usePointerDrag(node, keys.place);

  function handleOf(piece: Piece) {
    return (
      <Handle
        piece={piece}
        name={pieceName(piece)}
        isLifted={isPiece(keys.lifted, piece)}
        onClick={({ detail }) => isDragEnd(detail) || keys.press(piece)}
        onKeyDown={keys.handleKey}
        onBlur={keys.leave}
        {...handleProps(piece)}
      />
    );
  }

  function movedLook(piece: Piece): { className: string; style?: CSSProperties } {
    if (isPiece(dragged?.piece, piece))
      return {
        className: "relative z-10 rounded bg-surface opacity-90 shadow-lg shadow-black/15",
        style: { transform: `translateY(${dragged?.offsetPx ?? 0}px)` },
      };
    return { className: isPiece(keys.lifted, piece) ? "rounded bg-accent-soft" : "" };
  }

  return (
    <div ref={node} className={classNames("relative mt-3", dragged !== undefined && "cursor-grabbing select-none")}>
      <p id={HANDLE_HELP} hidden>
        Press Space to lift, then arrow keys to move.
      </p>
      <p role="status" aria-live="assertive" className="sr-only">
        {keys.announcement}
      </p>
      {keys.shown.map(({ groupId, components: ids }) => {
        const group = groupId === null ? undefined : groupsById.get(groupId);
        const look = group === undefined ? { className: "" } : movedLook({ kind: "group", id: group.id });
        return (
          <section
            key={groupId ?? "none"}
            data-section={groupId ?? ""}
            aria-label={group?.name ?? "Without a group"}
            {...look}
            className={classNames("mb-5", look.className)}
          >
            {group === undefined ? (
              groups.length > 0 && <h2 className="flex h-8 items-center text-xs font-semibold text-ink-2">Without a group</h2>
            ) : (
              <header className="flex items-center gap-1.5 max-md:gap-0">
                {handleOf({ kind: "group", id: group.id })}
                <h2 className="min-w-0 truncate font-semibold max-md:-ml-0.5">
                  <bdi>{group.name}</bdi>
                </h2>
                <span className="mr-auto pl-1 max-md:pl-2.5 text-xs whitespace-nowrap text-ink-2">{countOf(ids.length, "component")}</span>
                <span className="flex">
                  <IconButton icon={Pencil} label={`Rename ${group.name}`} onClick={() => onEdit({ kind: "group", id: group.id })} />
                  <IconButton icon={Trash2} label={`Delete ${group.name}`} onClick={() => onDelete({ kind: "group", id: group.id })} />
                </span>
              </header>
            )}
            <ul data-rows aria-label={group === undefined ? "Components without a group" : `Components of ${group.name}`}>
              {ids.map((id) => {
                const component = byId.get(id);
                if (component === undefined) return null;
                const piece: Piece = { kind: "component", id };
                const { className, style } = movedLook(piece);
                return (
                  <li key={id} data-row={id} style={style} className={classNames("border-t border-line", className)}>
                    <ComponentRow
                      component={component}
                      handle={handleOf(piece)}
                      onEdit={() => onEdit(piece)}
                      onDelete={() => onDelete(piece)}
                    />
                  </li>
                );
              })}
              {ids.length === 0 && (group !== undefined || groups.length > 0) && (
                <li className="border-t border-line py-2 pl-9 text-sm text-ink-2">
                  {group === undefined
                    ? "Drag a component here to remove it from its group."
                    : "Empty groups are hidden. Drag a component here."}
                </li>
              )}
            </ul>
          </section>
        );
      })}
      {dragged?.lineY !== undefined && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-x-0 z-20 -mt-px h-0.5 rounded bg-accent"
          style={{ top: dragged.lineY }}
        />
      )}
    </div>
  );
}

function isPiece(one: Piece | undefined, other: Piece): boolean {
  return one?.kind === other.kind && one.id === other.id;
}
