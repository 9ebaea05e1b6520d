import { getBuiltinModule } from 'node:process';

/**
 * From node:http, not imported: an import reads every export of a module, and one of these loads all of the platform's `fetch`. That
 * would be a tenth of what a command takes to start, and each page thread after it.
 */
export const { Agent, createServer, request, STATUS_CODES } = getBuiltinModule('node:http');
