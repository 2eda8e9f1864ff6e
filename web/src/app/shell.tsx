import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { CircleQuestionMark, History, Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { buttonClass } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { useActs } from "./alert-acts.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { HostSwitcher } from "./host-switcher.tsx";
import { HostsProvider } from "./hosts-provider.tsx";
import { focusMain, useFocusPlace } from "./focus-place.ts";
import { useHeldKeys } from "./held-keys.ts";
import { useHotkeys } from "./hotkeys.ts";
import { LiveIndicator } from "./live-indicator.tsx";
import { useGoBack, useMoment } from "./moment.ts";
import { Notices } from "./notices.tsx";
import { PaletteWindow } from "./palette-window.tsx";
import { Rail } from "./rail.tsx";
import { SECTIONS } from "./sections.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

const ActNotes = lazy(() => import("./act-notes.tsx").then((module) => ({ default: module.ActNotes })));
const HelpDialog = lazy(() => import("./help-dialog.tsx").then((module) => ({ default: module.HelpDialog })));
const PastPage = lazy(() => import("../past/past-page.tsx").then((module) => ({ default: module.PastPage })));
const TimeBar = lazy(() => import("../past/time-bar.tsx").then((module) => ({ default: module.TimeBar })));

/** The frame around every page. */
export function Shell() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | undefined>(undefined);
  const close = () => setOpen(undefined);
  const hasActs = useActs().length > 0;
  const hasFrame = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname !== "/wall" });
  const moment = useMoment();
  const goBack = useGoBack();
  // A screen on a wall shows the present.
  const at = hasFrame ? moment : undefined;
  const [isPastByKey, setPastByKey] = useState(false);

  useFocusPlace();
  useHotkeys({
    "mod+k": () => setOpen(open === "palette" ? undefined : "palette"),
    "?": () => setOpen("help"),
    m: () => {
      setPastByKey(moment === undefined);
      goBack();
    },
    "/": () => {
      const filter = document.querySelector<HTMLInputElement>("[data-page-filter]");
      if (filter === null) return setOpen("palette");
      filter.focus();
      filter.select();
    },
    ...Object.fromEntries(SECTIONS.map((section) => [`g ${section.key}`, () => void navigate({ to: section.to }).then(focusMain)])),
  });

  return (
    <HostsProvider>
      <div className="flex min-h-dvh">
        <a href="#main" className="sr-only z-30 rounded bg-surface focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:p-3">
          Skip to content
        </a>
        {hasFrame && <Rail />}
        <div className="flex min-w-0 flex-1 flex-col max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]">
          {hasFrame && <TopBar onSearch={() => setOpen("palette")} onHelp={() => setOpen("help")} />}
          <Notices />
          <Suspense>{at !== undefined && <TimeBar at={at} byKey={isPastByKey} />}</Suspense>
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
            {at === undefined ? (
              <Outlet />
            ) : (
              <Suspense>
                <PastPage at={at} />
              </Suspense>
            )}
          </main>
        </div>
        {hasFrame && <BottomBar />}
        <div
          role="status"
          className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex flex-col items-center gap-2 p-4 max-md:pb-[calc(4.5rem+env(safe-area-inset-bottom))]"
        >
          <Suspense>{hasActs && <ActNotes />}</Suspense>
        </div>
        {open === "palette" && <PaletteWindow onClose={close} onHelp={() => setOpen("help")} />}
        {open === "help" && <HelpWindow onClose={close} />}
      </div>
    </HostsProvider>
  );
}

function HelpWindow({ onClose }: { onClose: () => void }) {
  useHeldKeys({ onEscape: onClose });
  return (
    <Suspense>
      <HelpDialog onClose={onClose} />
    </Suspense>
  );
}

/** Above every page: which hosts, the search, whether the page is live. */
function TopBar({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }) {
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-bg px-4 sm:px-6">
      <HostSwitcher />
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts="Control+K Meta+K"
        className={buttonClass("plain", "ml-auto justify-start text-ink-3! max-sm:w-10 max-sm:justify-center max-sm:px-0 sm:w-64")}
      >
        <Search size={14} aria-hidden />
        <span className="flex-1 text-left max-sm:sr-only">Search or run</span>
        <span className="max-sm:hidden">
          <Kbd>{isMac() ? "⌘ K" : "Ctrl K"}</Kbd>
        </span>
      </button>
      <MomentButton />
      <LiveIndicator />
      <ThemeSwitch />
      {/* On a phone there are no keys. */}
      <IconButton icon={CircleQuestionMark} label="Keyboard shortcuts (?)" className="max-md:hidden" onClick={onHelp} />
    </header>
  );
}

function MomentButton() {
  const isPast = useMoment() !== undefined;
  const goBack = useGoBack();
  return (
    <IconButton icon={History} label={isPast ? "Back to now (m)" : "Go to a moment in the past (m)"} pressed={isPast} onClick={goBack} />
  );
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
