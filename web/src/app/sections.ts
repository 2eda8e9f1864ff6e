import { Box, LayoutDashboard, Settings, type LucideIcon } from "lucide-react";

export interface Section {
  to: "/" | "/containers" | "/settings";
  label: string;
  icon: LucideIcon;
  /** After `g`, opens it. */
  key: string;
}

/** The sections of the app, in the rail's order. On a phone the first five stand in the bar, the others under More. */
export const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o" },
  { to: "/containers", label: "Containers", icon: Box, key: "c" },
  { to: "/settings", label: "Settings", icon: Settings, key: "s" },
];
