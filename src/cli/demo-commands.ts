import type { Command } from 'commander';
export function addDemoCommands(_program: Command, _version: string): void {}
