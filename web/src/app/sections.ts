import {
  Award,
  BellRing,
  Box,
  Boxes,
  ChartNoAxesColumn,
  CircleArrowUp,
  HeartPulse,
  LayoutDashboard,
  Megaphone,
  Radar,
  ScrollText,
  Send,
  Server,
  Settings,
  ShieldCheck,
  ShipWheel,
  Waypoints,
  type LucideIcon,
} from "lucide-react";

export interface Section {
  to:
    | "/"
    | "/containers"
    | "/logs"
    | "/map"
    | "/swarm"
    | "/kubernetes"
    | "/endpoints"
    | "/heartbeats"
    | "/certificates"
    | "/resources"
    | "/updates"
    | "/security"
    | "/alerts"
    | "/notifications"
    | "/status-page"
    | "/hosts"
    | "/settings";
  label: string;
  icon: LucideIcon;
  /** After `g`, opens it. */
  key: string;
  /** Stands in the bar of a phone; the others stand there under More. */
  inBar?: boolean;
}

/** The sections of the app, in the rail's order. */
export const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o", inBar: true },
  { to: "/containers", label: "Containers", icon: Box, key: "c", inBar: true },
  { to: "/logs", label: "Logs", icon: ScrollText, key: "l" },
  { to: "/map", label: "Map", icon: Waypoints, key: "x" },
  { to: "/swarm", label: "Swarm", icon: Boxes, key: "w" },
  { to: "/kubernetes", label: "Kubernetes", icon: ShipWheel, key: "k" },
  { to: "/endpoints", label: "Endpoints", icon: Radar, key: "e", inBar: true },
  { to: "/heartbeats", label: "Heartbeats", icon: HeartPulse, key: "h", inBar: true },
  { to: "/certificates", label: "Certificates", icon: Award, key: "t" },
  { to: "/resources", label: "Resources", icon: ChartNoAxesColumn, key: "r" },
  { to: "/updates", label: "Updates", icon: CircleArrowUp, key: "u" },
  { to: "/security", label: "Security", icon: ShieldCheck, key: "y" },
  { to: "/alerts", label: "Alerts", icon: BellRing, key: "a", inBar: true },
  { to: "/notifications", label: "Notifications", icon: Send, key: "n" },
  { to: "/status-page", label: "Status page", icon: Megaphone, key: "p" },
  { to: "/hosts", label: "Hosts", icon: Server, key: "m" },
  { to: "/settings", label: "Settings", icon: Settings, key: "s" },
];
