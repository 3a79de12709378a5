! SPDX-License-Identifier: MIT
! The module hit on any number of processes: orders of dimensions, elements, arguments, files, failures.
! usage: test_hit FOLDER [communicator]
module kernels
  use hit
  type(hit_kernel), bind(c, name="mix") :: mix
  type(hit_kernel), bind(c, name="shift") :: shift
  type(hit_kernel), bind(c, name="turn") :: turn
  integer(c_int), bind(c, name="fortran_types") :: types(20)
end module

program test_hit
  use kernels
  implicit none
  type(hit_context) :: h
  character(200) :: folder

  call get_command_argument(1, folder)
  call hit_must(hit_open(h))
  call constants
  call domains
  call elements
  call steps
  call arguments
  call boundaries
  call adopted
  call files
  call failures
  if (hit_rank(h) == 0) print '(a, i0, a)', "ok on ", hit_size(h), " processes"
  call hit_close(h)
  if (c_associated(h%handle)) error stop "a context that is closed is not null"

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) error stop what
  end subroutine

  subroutine refused(status, expected, text)
    integer(c_int), intent(in) :: status, expected
    character(*), intent(in) :: text
    call expect(status == expected .or. status == 9, "status of: "//text) ! or what process 0 found
    call expect(index(hit_status_text(), text) > 0, "expected "//text//" but found "//hit_status_text())
  end subroutine

  subroutine constants ! are those of the headers
    type(hit_view) :: view
    type(hit_domain) :: domain
    integer :: k
    type(hit_type), parameter :: known(9) = [hit_float, hit_double, hit_int8, hit_int16, hit_int32, hit_int64, hit_bool, &
      hit_complex_float, hit_complex_double]

    call expect(all(types(:9) == [(known(k)%kind, k=1, 9)]), "kinds")
    call expect(all(types(10:17) == [hit_read, hit_write, hit_read_write, hit_boundary_none, hit_boundary_constant, &
      hit_boundary_periodic, hit_boundary_clamp, hit_boundary_mirror]), "enumerations")
    call expect(all(types(18:19) == [c_sizeof(view), c_sizeof(domain)]), "sizes")
    call expect(types(20) == c_sizeof(mix), "a kernel")
  end subroutine

  subroutine domains
    type(hit_domain) :: a

    a = hit_domain_grow(hit_domain_of([7, 5, 3]), 1_hit_index)
    call expect(a%dims == 3 .and. all(a%sig(:3)%begin == 0) .and. all(a%sig(:3)%end == [4, 6, 8]), "a domain that has grown")
    a = hit_domain_of([7, 5], [-2, 3])
    call expect(all(a%sig(:2)%begin == [3, -2]), "lower bounds")
  end subroutine

  ! [i + 10 j + 100 k] in all layouts, seen by pointers, single elements, and a whole array
  subroutine elements
    character(8), parameter :: texts(3) = ["block   ", "cyclic  ", "single  "]
    type(hit_layout) :: layout, other
    type(hit_tile) :: a, part, line
    type(hit_view) :: view
    real(c_double), pointer :: u(:, :, :), row(:)
    real(c_float), pointer :: wrong(:)
    real(c_double) :: whole(7, 5, 6), found
    integer(c_int) :: status
    integer :: t, p, i, j, k

    do t = 1, size(texts)
      call hit_must(hit_layout_create(h, hit_domain_of(shape(whole)), texts(t), layout))
      call hit_must(hit_tile_create(layout, hit_double, "a", a))
      do p = 0, hit_tile_pieces(a) - 1
        call hit_must(hit_tile_map(a, p, hit_write, view))
        call hit_view_array(view, u)
        do k = 1, size(u, 3)
          do j = 1, size(u, 2)
            do i = 1, size(u, 1)
              u(lbound(u, 1) + i - 1, lbound(u, 2) + j - 1, lbound(u, 3) + k - 1) = at(view, 1, i) + 10*at(view, 2, j) + &
                100*at(view, 3, k)
            end do
          end do
        end do
      end do
      whole = 0
      call hit_must(hit_tile_gather(a, 0, whole))
      if (hit_rank(h) == 0) then
        call expect(all(whole == reshape([(((i + 10*j + 100*k, i=1, 7), j=1, 5), k=1, 6)], shape(whole))), "gathered "//texts(t))
      end if
      call hit_must(hit_tile_get(a, [7, 2, 4], found))
      call expect(found == 427, "an element, "//texts(t))
      call hit_must(hit_tile_select(a, hit_domain_of([5, 4, 5], [2, 2, 2]), part))
      call hit_must(hit_tile_fill(part, 3d0))
      call hit_must(hit_tile_get(a, [5, 4, 5], found))
      call expect(found == 3, "a selection, "//texts(t))
      call hit_must(hit_tile_get(a, [6, 4, 5], found))
      call expect(found == 546, "beside a selection, "//texts(t))
      if (hit_tile_pieces(part) > 0) then ! its rows are longer
        call hit_must(hit_tile_map(part, 0, hit_read, view))
        call hit_view_array(view, u)
        call expect(all(u == 3), "elements of a selection, "//texts(t))
      end if
      call hit_tile_destroy(part)
      call hit_must(hit_layout_create(h, hit_domain_of(shape(whole)), "block", other))
      call hit_must(hit_tile_relayout(a, other))
      if (hit_rank(h) == 0) whole(1, 1, 1) = 5
      call hit_must(hit_tile_scatter(a, 0, whole))
      call hit_must(hit_tile_get(a, [1, 1, 1], found))
      call expect(found == 5, "scattered")
      call hit_layout_destroy(other)
      call hit_tile_destroy(a)
      call hit_layout_destroy(layout)
    end do
    call hit_must(hit_layout_create(h, hit_domain_of([9]), "block", layout))
    call hit_must(hit_tile_create(layout, hit_double, "line", line))
    call hit_must(hit_tile_map(line, 0, hit_write, view))
    call hit_view_array(view, row)
    if (associated(row)) row = [(i, i=lbound(row, 1), ubound(row, 1))]
    call hit_view_array(view, row, status)
    call expect(status == hit_ok, "an array of the very type")
    call hit_view_array(view, wrong, status) ! of floats
    call expect(.not. associated(wrong) .and. (status == hit_e_arg .eqv. associated(row)), "an array of another type")
    call hit_view_array(view, u, status) ! of 3 dimensions
    call expect(.not. associated(u) .and. (status == hit_e_arg .eqv. associated(row)), "an array of other dimensions")
    call hit_must(hit_tile_get(line, [8], found))
    call expect(found == 8, "a line")
    call hit_tile_destroy(line)
    call hit_layout_destroy(layout)
  end subroutine

  ! the global index of the k-th element along a dimension of Fortran
  integer function at(view, dim, k)
    type(hit_view), intent(in) :: view
    integer, intent(in) :: dim, k
    type(hit_sig) :: sig
    sig = view%domain%sig(view%domain%dims + 1 - dim)
    at = int(sig%begin + (k - 1)*sig%stride)
  end function

  subroutine steps ! of a launch, in chains and without
    type(hit_layout) :: layout
    type(hit_tile) :: now, next
    type(hit_domain) :: all
    real(c_double) :: found(2)
    integer :: t, c

    all = hit_domain_of([40, 30])
    call hit_must(hit_layout_create(h, all, "block", layout))
    do c = 1, 2
      call hit_must(hit_chain(h, c - 1))
      call hit_must(hit_tile_create(layout, hit_double, "now", now))
      call hit_must(hit_tile_create(layout, hit_double, "next", next))
      call hit_must(hit_tile_fill(now, 1d0))
      do t = 1, 8
        call hit_must(hit_launch(h, shift, hit_domain_grow(all, -1_hit_index), [hit_arg(next), hit_arg(now)]))
        call hit_tile_swap(now, next)
      end do
      call hit_must(hit_wait(h))
      call hit_must(hit_tile_get(now, [20, 15], found(c)))
      call hit_tile_destroy(now)
      call hit_tile_destroy(next)
    end do
    call hit_must(hit_chain(h, 1))
    call expect(found(1) == found(2) .and. found(1) == 3d0**8, "eight steps")
    call hit_layout_destroy(layout)
  end subroutine

  subroutine arguments ! of all types, by value
    type(hit_layout) :: layout, other
    type(hit_tile) :: a, z
    type(hit_kernel), pointer :: fill
    real(c_double) :: found
    complex(c_double_complex) :: turned
    integer :: k = 4

    call hit_must(hit_layout_create(h, hit_domain_of([6, 4]), "block", layout))
    call hit_must(hit_layout_create(h, hit_domain_of([6, 4]), "cyclic", other))
    call hit_must(hit_tile_create(layout, hit_double, "a", a))
    call hit_must(hit_launch(h, mix, hit_domain_of([6, 4]), [hit_arg(a), hit_arg(0.5), hit_arg(0.25d0), hit_arg(k), &
      hit_arg(2_c_int64_t**40)], on="host", layout=other))
    call hit_must(hit_tile_get(a, [6, 4], found)) ! i is Fortran's first
    call expect(found == 6*1000 + 4 + 0.5 + 0.25d0 + 4 + 2d0**40, "values")
    call hit_must(hit_launch(h, mix, hit_domain_of([6, 4]), [hit_arg(a), hit_arg(0.0), hit_arg(0d0), hit_arg(k), &
      hit_arg(0_c_int64_t)], on="host", only="i < k - 2 or j == 4 and i < 6"))
    call hit_must(hit_tile_get(a, [5, 4], found))
    call expect(found == 5*1000 + 4 + 4, "an index that runs")
    call hit_must(hit_tile_get(a, [6, 4], found))
    call expect(found == 6*1000 + 4 + 0.5 + 0.25d0 + 4 + 2d0**40, "one that does not")
    call refused(hit_launch(h, mix, hit_domain_of([6, 4]), [hit_arg(a), hit_arg(0.0), hit_arg(0d0), hit_arg(k), &
      hit_arg(0_c_int64_t)], only="i < "), 2, "HIT_WHERE")
    call hit_must(hit_tile_create(layout, hit_complex_double, "z", z))
    call hit_must(hit_tile_fill(z, (2d0, 1d0)))
    call hit_must(hit_launch(h, turn, hit_domain_of([6, 4]), [hit_arg(z), hit_arg((0d0, 1d0)), hit_arg((2.0, 0.0))]))
    call hit_must(hit_tile_get(z, [1, 1], turned))
    call expect(turned == (-2d0, 4d0), "complex numbers")
    call hit_must(hit_kernel_find(h, "scale_double", fill))
    call expect(associated(fill), "a kernel of the library")
    call refused(hit_kernel_find(h, "nothing", fill), 1, 'but found "nothing"')
    call expect(.not. associated(fill), "no kernel")
    call hit_tile_destroy(a)
    call hit_tile_destroy(z)
    call hit_layout_destroy(other)
    call hit_layout_destroy(layout)
  end subroutine

  subroutine boundaries ! by the dimension of Fortran
    type(hit_layout) :: layout
    type(hit_tile) :: now, next
    real(c_double) :: found

    call hit_must(hit_layout_create(h, hit_domain_of([8, 3]), "block", layout))
    call hit_must(hit_tile_create(layout, hit_double, "now", now))
    call hit_must(hit_tile_create(layout, hit_double, "next", next))
    call hit_must(hit_tile_fill(now, 1d0))
    call hit_must(hit_tile_set_boundary(now, 1, hit_boundary_constant, 5d0))
    call hit_must(hit_launch(h, shift, hit_domain_of([8, 3]), [hit_arg(next), hit_arg(now)]))
    call hit_must(hit_tile_get(next, [1, 1], found))
    call expect(found == 1 + 1 + 5, "a constant outside of the first dimension")
    call hit_must(hit_tile_set_boundary(now, 0, hit_boundary_periodic))
    call hit_must(hit_launch(h, shift, hit_domain_of([8, 3]), [hit_arg(next), hit_arg(now)]))
    call hit_must(hit_tile_get(next, [1, 1], found))
    call expect(found == 3, "periodic in all dimensions")
    call refused(hit_tile_set_boundary(now, 3, hit_boundary_clamp), 1, "dimension")
    call hit_tile_destroy(now)
    call hit_tile_destroy(next)
    call hit_layout_destroy(layout)
  end subroutine

  subroutine adopted ! an array of the program with ghosts, and more around them
    type(hit_layout) :: layout
    type(hit_tile) :: now, next
    real(c_double), target :: u(0:11, 0:5), v(10, 4)
    integer :: first, last

    first = 4*hit_rank(h) + 1
    last = first + 3
    u = -1
    u(2:9, 1:4) = 1
    call hit_must(hit_layout_from_parts(h, hit_domain_of([8, 4*hit_size(h)]), hit_domain_of([8, last], [1, first]), layout))
    call hit_must(hit_tile_adopt(layout, hit_double, "u", c_loc(u(2, 1)), [1, 1], [1, 1], now, extent=shape(u)))
    call hit_must(hit_tile_adopt(layout, hit_double, "v", c_loc(v(2, 1)), [1, 0], [1, 0], next))
    v = -2
    call hit_must(hit_launch(h, shift, hit_domain_of([7, 4*hit_size(h)], [2, 1]), [hit_arg(next), hit_arg(now)]))
    call hit_tile_destroy(next)
    call hit_tile_destroy(now)
    call expect(all(v(3:8, :) == 3) .and. all(v(2, :) == -2) .and. all(v(9, :) == -2), "an array as a tile")
    call expect(all(u(2:9, 1:4) == 1) .and. all(u(0, :) == -1) .and. all(u(11, :) == -1), "an array that is read")
    call hit_layout_destroy(layout)
  end subroutine

  subroutine files
    type(hit_layout) :: layout
    type(hit_tile) :: a, b
    real(c_float) :: found

    call hit_must(hit_layout_create(h, hit_domain_of([6, 4]), "block", layout))
    call hit_must(hit_tile_create(layout, hit_float, "a", a))
    call hit_must(hit_tile_create(layout, hit_float, "b", b))
    call hit_must(hit_tile_fill(a, 7.0))
    call hit_must(hit_tile_write(a, trim(folder)//"/a.zarr", "dataset=x,chunks=2x3"))
    call hit_must(hit_tile_read(b, trim(folder)//"/a.zarr", "dataset=x"))
    call hit_must(hit_tile_get(b, [6, 4], found))
    call expect(found == 7, "a file")
    call hit_must(hit_tile_write(a, trim(folder)//"/a.npy"))
    call hit_must(hit_tile_fill(b, 0.0))
    call hit_must(hit_tile_copy(a, b))
    call hit_must(hit_tile_get(b, [1, 1], found))
    call expect(found == 7, "a copy")
    call refused(hit_tile_read(b, trim(folder)//"/no.npy"), 8, "no.npy")
    call hit_must(hit_barrier(h))
    call hit_tile_destroy(a)
    call hit_tile_destroy(b)
    call hit_layout_destroy(layout)
  end subroutine

  subroutine failures
    type(hit_context) :: wrong
    type(hit_layout) :: layout
    type(hit_tile) :: a, none

    call refused(hit_open(wrong, "nonsense"), 1, "nonsense")
    call refused(hit_layout_create(h, hit_domain_of([1, 2, 3, 4, 5]), "block", layout), 1, "dimensions")
    call refused(hit_layout_create(h, hit_domain_of([4, 4]), "blok", layout), 1, "did you mean")
    call hit_must(hit_layout_create(h, hit_domain_of([4, 4]), "block", layout))
    call hit_must(hit_tile_create(layout, hit_double, "a", a))
    call refused(hit_launch(h, shift, hit_domain_of([4, 4]), [hit_arg(a), hit_arg(none)]), 1, "now")
    call refused(hit_launch(h, shift, hit_domain_of([4, 4]), [hit_arg(a)]), 1, "arguments")
    call refused(hit_launch(h, shift, hit_domain_of([4, 4]), [hit_arg(a), hit_arg(1)]), 1, "now")
    call expect(hit_time(h) >= 0, "a time")
    call hit_tile_destroy(a)
    call hit_layout_destroy(layout)
  end subroutine
end program
