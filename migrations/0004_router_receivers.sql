CREATE TABLE `router_receivers` (
	`account_id` text NOT NULL,
	`router_id` text NOT NULL,
	`receiver_type` text NOT NULL,
	`receiver_id` text NOT NULL,
	PRIMARY KEY(`router_id`, `receiver_type`, `receiver_id`),
	FOREIGN KEY (`router_id`) REFERENCES `routers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `router_receivers_receiver` ON `router_receivers` (`account_id`,`receiver_id`);