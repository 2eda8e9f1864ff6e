import { createContext, useContext } from "react";
import { createPreference, createTextPreference, type Preference } from "./preference.ts";

/** How high rows are. */
export type Density = "comfortable" | "compact";
export type Theme = "system" | "light" | "dark";

/** The lists whose groups fold. */
export type FoldableList = "containers" | "workloads" | "updates" | "update-images" | "findings";

/** As many characters as the folded groups of one list may take. */
export const MAX_FOLDS_LENGTH = 16_000;

/** The lists whose views can be saved. */
export type ViewedList = "containers" | "endpoints" | "heartbeats" | "certificates" | "alerts";

/** As many characters as the saved views of one list may take. */
const MAX_VIEWS_LENGTH = 64_000;

/** The lists whose columns can be chosen. */
export type ColumnedList = "containers" | "endpoints";

export interface Preferences {
  theme: Preference<Theme>;
  density: Preference<Density>;
  rail: Preference<"wide" | "narrow">;
  welcome: Preference<"shown" | "dismissed">;
  logTimes: Preference<"shown" | "hidden">;
  /** Undecided, lines wrap where they would not fit on a narrow screen. */
  logWrap: Preference<"auto" | "on" | "off">;
  /** By what name the reader acknowledges alerts; empty until it was asked for. */
  readerName: Preference<string>;
  /** Which groups of a list are folded. */
  folds: Readonly<Record<FoldableList, Preference<string>>>;
  /** The saved views of a list. */
  views: Readonly<Record<ViewedList, Preference<string>>>;
  /** Which columns of a list are shown; empty: as many as fit. */
  columns: Readonly<Record<ColumnedList, Preference<string>>>;
}

/** What this browser remembers of its reader. The bootstrap in index.html reads `binnacle.theme` too, before the first paint. */
export function createPreferences(): Preferences {
  return {
    theme: createPreference("binnacle.theme", ["system", "light", "dark"]),
    density: createPreference("binnacle.density", ["comfortable", "compact"]),
    rail: createPreference("binnacle.rail", ["wide", "narrow"]),
    welcome: createPreference("binnacle.welcome", ["shown", "dismissed"]),
    logTimes: createPreference("binnacle.log-times", ["shown", "hidden"]),
    logWrap: createPreference("binnacle.log-wrap", ["auto", "on", "off"]),
    readerName: createTextPreference("binnacle.reader-name", 128),
    folds: {
      containers: foldsOf("containers"),
      workloads: foldsOf("workloads"),
      updates: foldsOf("updates"),
      "update-images": foldsOf("update-images"),
      findings: foldsOf("findings"),
    },
    views: {
      containers: viewsOf("containers"),
      endpoints: viewsOf("endpoints"),
      heartbeats: viewsOf("heartbeats"),
      certificates: viewsOf("certificates"),
      alerts: viewsOf("alerts"),
    },
    columns: { containers: columnsOf("containers"), endpoints: columnsOf("endpoints") },
  };
}

function foldsOf(list: FoldableList): Preference<string> {
  return createTextPreference(`binnacle.folds.${list}`, MAX_FOLDS_LENGTH);
}

function viewsOf(list: ViewedList): Preference<string> {
  return createTextPreference(`binnacle.views.${list}`, MAX_VIEWS_LENGTH);
}

function columnsOf(list: ColumnedList): Preference<string> {
  return createTextPreference(`binnacle.columns.${list}`, 255);
}

/** Keeps the page in the chosen theme; returns how to stop. */
export function followTheme(theme: Preference<Theme>): () => void {
  const apply = (): void => applyTheme(theme.get());
  apply();
  return theme.subscribe(apply);
}

/** Keeps the rows of the page as high as was chosen; lists that place their rows themselves ask for it. */
export function followDensity(density: Preference<Density>): void {
  const apply = (): void => void (document.documentElement.dataset["density"] = density.get());
  apply();
  density.subscribe(apply);
}

/** Puts the page into a theme, whichever was chosen. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  paintBrowserFrame(theme);
}

/** The browser's own frame follows `theme-color`: one for each scheme of the device, so both take the chosen theme's. */
function paintBrowserFrame(theme: Theme): void {
  const [light, dark] = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]');
  if (light === undefined || dark === undefined) return;
  light.dataset["own"] ??= light.content;
  dark.dataset["own"] ??= dark.content;
  light.content = (theme === "dark" ? dark : light).dataset["own"] ?? "";
  dark.content = (theme === "light" ? light : dark).dataset["own"] ?? "";
}

export const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (preferences === undefined) throw new Error("usePreferences needs a PreferencesContext around it");
  return preferences;
}
