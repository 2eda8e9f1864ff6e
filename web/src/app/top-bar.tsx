import { Search } from "lucide-react";
import { buttonClass } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { HostSwitcher } from "./host-switcher.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** Above every page: which hosts, the search, whether the page is live. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-bg px-4 sm:px-6">
      <HostSwitcher />
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts="Control+K Meta+K"
        className={buttonClass("plain", "ml-auto justify-start text-ink-3! max-sm:size-8 max-sm:justify-center max-sm:px-0 sm:w-64")}
      >
        <Search size={14} aria-hidden />
        <span className="flex-1 text-left max-sm:sr-only">Search or run</span>
        <span className="max-sm:hidden">
          <Kbd>{isMac() ? "⌘ K" : "Ctrl K"}</Kbd>
        </span>
      </button>
      <LiveIndicator />
      <ThemeSwitch />
    </header>
  );
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
