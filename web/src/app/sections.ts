import { Award, Box, ChartNoAxesColumn, HeartPulse, LayoutDashboard, Radar, Settings, type LucideIcon } from "lucide-react";

export interface Section {
  to: "/" | "/containers" | "/endpoints" | "/heartbeats" | "/certificates" | "/resources" | "/settings";
  label: string;
  icon: LucideIcon;
  /** After `g`, opens it. */
  key: string;
}

/** The sections of the app, in the rail's order. On a phone the first five stand in the bar, the others under More. */
export const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o" },
  { to: "/containers", label: "Containers", icon: Box, key: "c" },
  { to: "/endpoints", label: "Endpoints", icon: Radar, key: "e" },
  { to: "/heartbeats", label: "Heartbeats", icon: HeartPulse, key: "h" },
  { to: "/certificates", label: "Certificates", icon: Award, key: "t" },
  { to: "/resources", label: "Resources", icon: ChartNoAxesColumn, key: "r" },
  { to: "/settings", label: "Settings", icon: Settings, key: "s" },
];
