import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState, type ComponentProps } from "react";
import { buttonClass } from "./button.tsx";
import { classNames } from "./class-names.ts";
import type { MenuProperties } from "./menu-rows.ts";

const load = () => import("./menu-popup.tsx");
const MenuPopup = lazy(() => load().then((module) => ({ default: module.MenuPopup })));

/** A menu that opens from a button. Its machinery is heavy and comes with the first pointer or focus that nears the button. */
export function Menu({ startsOpen = false, ...properties }: MenuProperties & { startsOpen?: boolean }) {
  const [wanted, setWanted] = useState(startsOpen);
  const closed = <ClosedMenu trigger={properties.trigger} onOpen={() => setWanted(true)} />;
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup {...properties} />
    </Suspense>
  );
}

function ClosedMenu({ trigger: { type: Trigger, props }, onOpen }: { trigger: MenuProperties["trigger"]; onOpen: () => void }) {
  const near = () => void load();
  return <Trigger {...props} aria-haspopup="menu" aria-expanded={false} onPointerEnter={near} onFocus={near} onClick={onOpen} />;
}

/** The button of a menu that chooses: what is chosen here in a weaker colour, what is chosen, and an arrow. */
export function MenuButton({
  label,
  children,
  active = false,
  className,
  ...rest
}: ComponentProps<"button"> & { label?: string; active?: boolean }) {
  return (
    <button
      type="button"
      className={buttonClass("plain", classNames("max-w-64 data-popup-open:bg-hover", active && "border-accent", className))}
      {...rest}
    >
      <span className="truncate">
        {label !== undefined && <span className="text-ink-2">{label}: </span>}
        {children}
      </span>
      <ChevronDown size={14} aria-hidden className="-mr-0.5 shrink-0 text-ink-3" />
    </button>
  );
}
