! SPDX-License-Identifier: MIT
module kernels
  use hit
  type(hit_kernel), bind(c, name="heat") :: heat ! of heat.k.c
end module

program plate
  use kernels
  implicit none
  integer, parameter :: m = 512, n = 512 ! of u(j, i), which is hit(u, i, j) in the kernel
  type(hit_context) :: h
  type(hit_layout) :: layout
  type(hit_tile) :: now, next
  type(hit_domain) :: all, inner
  type(hit_view) :: view
  real(c_float), pointer :: u(:, :)
  integer :: i, j, t

  call hit_must(hit_open(h))
  all = hit_domain_of([m - 1, n - 1], lower=[0, 0])
  inner = hit_domain_grow(all, -1_hit_index)
  call hit_must(hit_layout_create(h, all, "block", layout))
  call hit_must(hit_tile_create(layout, hit_float, "now", now))
  call hit_must(hit_tile_create(layout, hit_float, "next", next))
  call hit_must(hit_tile_map(now, 0, hit_write, view))
  call hit_view_array(view, u)
  if (associated(u)) then ! this process has elements
    u = 0
    do i = lbound(u, 2), ubound(u, 2)
      do j = lbound(u, 1), ubound(u, 1)
        if (4*((3*i - n)**2 + (2*j - m)**2) < min(n, m)**2) u(j, i) = 1
        if (i == 0) u(j, i) = 0.5
      end do
    end do
  end if
  call hit_must(hit_tile_copy(now, next))
  do t = 1, 200
    call hit_must(hit_launch(h, heat, inner, [hit_arg(next), hit_arg(now), hit_arg(0.2)]))
    call hit_tile_swap(now, next)
  end do
  call hit_must(hit_tile_write(now, "heat.npy"))
  call hit_tile_destroy(next)
  call hit_tile_destroy(now)
  call hit_layout_destroy(layout)
  call hit_close(h)
end program
