CREATE TABLE `daily_use` (
	`id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`alerts` integer DEFAULT 0 NOT NULL,
	`messages` integer DEFAULT 0 NOT NULL,
	`counted_to` text DEFAULT '' NOT NULL,
	`used_up` text DEFAULT '[]' NOT NULL,
	`told` integer DEFAULT false NOT NULL
);
