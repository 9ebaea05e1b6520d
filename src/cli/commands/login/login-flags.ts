/** What `login` was told, beside the settings. */
export interface LoginFlags {
  readonly dir: string;
  readonly form?: string;
  readonly user?: string;
  readonly userEnv?: string;
  readonly passwordEnv?: string;
  readonly passwordFile?: string;
  readonly field?: readonly string[];
  readonly check?: string;
  readonly print?: boolean;
  readonly inBrowser?: boolean;
}
