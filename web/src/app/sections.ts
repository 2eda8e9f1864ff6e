import { Box, ChartNoAxesColumn, LayoutDashboard, Settings, type LucideIcon } from "lucide-react";

export interface Section {
  to: "/" | "/containers" | "/resources" | "/settings";
  label: string;
  icon: LucideIcon;
  /** After `g`, opens it. */
  key: string;
}

/** The sections of the app, in the rail's order. On a phone the first five stand in the bar, the others under More. */
export const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o" },
  { to: "/containers", label: "Containers", icon: Box, key: "c" },
  { to: "/resources", label: "Resources", icon: ChartNoAxesColumn, key: "r" },
  { to: "/settings", label: "Settings", icon: Settings, key: "s" },
];
