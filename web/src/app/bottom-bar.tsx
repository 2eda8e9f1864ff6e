import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis, type LucideIcon } from "lucide-react";
import { classNames } from "../ui/class-names.ts";
import { Menu } from "../ui/menu.tsx";
import { AlertBadge } from "./alert-badge.tsx";
import { useSections } from "./use-sections.ts";

// As wide as its label and an equal part of the rest, so that long labels keep clear of each other at 360 px too.
const ENTRY =
  "flex h-14 min-w-0 flex-auto flex-col items-center justify-center gap-0.5 text-[11px] leading-4 text-ink-2 aria-[current=page]:font-semibold aria-[current=page]:text-accent";

/** The way to every section, at the foot of narrow screens. */
export function BottomBar() {
  const navigate = useNavigate();
  const sections = useSections();
  const others = sections.filter(({ inBar }) => !inBar);
  return (
    <nav
      aria-label="Sections"
      className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {sections
        .filter(({ inBar }) => inBar)
        .map(({ to, label, icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === "/", includeSearch: false }} className={classNames(ENTRY, "relative")}>
            <Entry icon={icon} label={label} />
            {to === "/alerts" && <AlertBadge className="absolute top-1.5 left-1/2 ml-1" />}
          </Link>
        ))}
      {others.length > 0 && (
        <Menu
          align="end"
          trigger={
            <button type="button" className={ENTRY}>
              <Entry icon={Ellipsis} label="More" />
            </button>
          }
          rows={others.map(({ to, label }) => ({ key: to, label, run: () => void navigate({ to }) }))}
        />
      )}
    </nav>
  );
}

function Entry({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <>
      <Icon size={20} strokeWidth={1.75} aria-hidden />
      {label}
    </>
  );
}
